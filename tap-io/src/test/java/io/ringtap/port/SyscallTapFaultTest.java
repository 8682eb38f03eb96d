package io.ringtap.port;

/** {@link TapFaultContract} with a system call a frame. */
class SyscallTapFaultTest extends TapFaultContract
{
    @Override
    PortIo io()
    {
        return PortIo.SYSCALL;
    }
}
