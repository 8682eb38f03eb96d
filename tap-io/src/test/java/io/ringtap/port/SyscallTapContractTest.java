package io.ringtap.port;

/** {@link PortContract} with a TAP with a system call a frame. */
class SyscallTapContractTest extends PortContract
{
    @Override
    PortBed bed()
    {
        return new TapBed(PortIo.SYSCALL);
    }
}
