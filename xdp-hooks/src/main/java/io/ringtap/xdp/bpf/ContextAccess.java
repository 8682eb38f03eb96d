package io.ringtap.xdp.bpf;

/**
 * Fields of struct xdp_md (linux/bpf.h), which is computed when it is read.
 * <pre>
 *  0    data              first byte of the frame
 *  4    data_end          behind its last byte that lies in the slot
 *  8    data_meta         first byte of metadata; data when there is none
 * 12    ingress_ifindex
 * 16    rx_queue_index
 * 20    egress_ifindex
 * </pre>
 */
final class ContextAccess
{
    static final int DATA = 0;
    static final int DATA_END = 4;
    static final int DATA_META = 8;
    static final int INGRESS_INTERFACE = 12;
    static final int RECEIVE_QUEUE = 16;
    static final int EGRESS_INTERFACE = 20;

    private ContextAccess()
    {
    }

    /** A field by its offset. */
    static long load(final BpfContext context, final int offset)
    {
        return switch (offset)
        {
            case DATA -> context.data;
            case DATA_END -> context.windowStart + context.windowLength;
            case DATA_META -> context.windowStart;
            case INGRESS_INTERFACE -> context.ingressInterface & 0xffff_ffffL;
            case RECEIVE_QUEUE -> context.receiveQueue & 0xffff_ffffL;
            case EGRESS_INTERFACE -> context.egressInterface & 0xffff_ffffL;
            default -> throw new IllegalStateException("xdp_md has no field at " + offset);
        };
    }

    /**
     * Name of the method that loads a field where the program most likely has its context. One for each, since the
     * just-in-time compiler counts what it inlines, whether it is used or not.
     */
    static String loader(final int offset)
    {
        return switch (offset)
        {
            case DATA -> "loadData";
            case DATA_END -> "loadDataEnd";
            case DATA_META -> "loadDataMeta";
            default -> "loadOther";
        };
    }

    static long loadData(final BpfContext c, final long address, final int at)
    {
        return DATA + (int)AddressSpace.CONTEXT == (int)address ? c.data : AnyAccess.load(c, address, 4, at);
    }

    static long loadDataEnd(final BpfContext c, final long address, final int at)
    {
        return DATA_END + (int)AddressSpace.CONTEXT == (int)address ?
            c.windowStart + c.windowLength : AnyAccess.load(c, address, 4, at);
    }

    static long loadDataMeta(final BpfContext c, final long address, final int at)
    {
        return DATA_META + (int)AddressSpace.CONTEXT == (int)address ?
            c.windowStart : AnyAccess.load(c, address, 4, at);
    }

    static long loadOther(final BpfContext c, final long address, final int at)
    {
        return AnyAccess.load(c, address, 4, at);
    }
}
