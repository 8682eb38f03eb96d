package io.ringtap.port;

/** {@link TapContract} with a system call a frame. */
class SyscallTapTest extends TapContract
{
    @Override
    PortIo io()
    {
        return PortIo.SYSCALL;
    }
}
