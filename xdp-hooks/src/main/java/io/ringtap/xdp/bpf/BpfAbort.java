package io.ringtap.xdp.bpf;

/** Ends a program; carries nothing, since the context knows what happened. Never made on the data path. */
final class BpfAbort extends RuntimeException
{
    static final BpfAbort INSTANCE = new BpfAbort();

    private static final long serialVersionUID = 1;

    private BpfAbort()
    {
        super("program aborted", null, false, false);
    }
}
