package io.ringtap.sys;

/** AF_XDP sockets: linux/if_xdp.h, and of linux/if_link.h how programs are attached. */
public final class Xdp
{
    public static final int SOL_XDP = 283;

    public static final int XDP_MMAP_OFFSETS = 1;
    public static final int XDP_RX_RING = 2;
    public static final int XDP_TX_RING = 3;
    public static final int XDP_UMEM_REG = 4;
    public static final int XDP_UMEM_FILL_RING = 5;
    public static final int XDP_UMEM_COMPLETION_RING = 6;
    public static final int XDP_OPTIONS = 8;
    /** Frames that one send may take, Linux 6.17. */
    public static final int XDP_MAX_TX_SKB_BUDGET = 9;

    /** Bits of sockaddr_xdp's flags. */
    public static final int XDP_COPY = 1 << 1;
    public static final int XDP_ZEROCOPY = 1 << 2;
    public static final int XDP_USE_NEED_WAKEUP = 1 << 3;
    /** Frames over several buffers, Linux 6.6. */
    public static final int XDP_USE_SG = 1 << 4;

    /** In a ring's flags: the kernel sleeps and wants a call. */
    public static final int XDP_RING_NEED_WAKEUP = 1;
    /** In what XDP_OPTIONS answers. */
    public static final int XDP_OPTIONS_ZEROCOPY = 1;
    /** In a descriptor: the frame goes on in the next one. */
    public static final int XDP_PKT_CONTD = 1;

    /** Buffers may begin anywhere in the memory; a received one's address then carries the data's offset above. */
    public static final int XDP_UMEM_UNALIGNED_CHUNK_FLAG = 1;
    public static final int XSK_UNALIGNED_BUF_OFFSET_SHIFT = 48;
    public static final long XSK_UNALIGNED_BUF_ADDR_MASK = (1L << XSK_UNALIGNED_BUF_OFFSET_SHIFT) - 1;

    /** Where mmap(2) finds the rings. */
    public static final long XDP_PGOFF_RX_RING = 0;
    public static final long XDP_PGOFF_TX_RING = 0x80000000L;
    public static final long XDP_UMEM_PGOFF_FILL_RING = 0x100000000L;
    public static final long XDP_UMEM_PGOFF_COMPLETION_RING = 0x180000000L;

    /** What the kernel leaves free in front of a received frame (linux/bpf.h). */
    public static final int XDP_PACKET_HEADROOM = 256;

    public static final int XDP_FLAGS_SKB_MODE = 1 << 1;
    public static final int XDP_FLAGS_DRV_MODE = 1 << 2;

    /** struct xdp_umem_reg: address, length (8 each), chunk size, headroom, flags, metadata (4 each). */
    public static final int UMEM_REG_LENGTH = 32;
    public static final int UMEM_REG_SIZE = 8;
    public static final int UMEM_REG_CHUNK = 16;
    public static final int UMEM_REG_FLAGS = 24;

    /** struct sockaddr_xdp: family, flags (2 each), interface, queue, descriptor of a shared memory (4 each). */
    public static final int ADDRESS_LENGTH = 16;
    public static final int ADDRESS_FLAGS = 2;
    public static final int ADDRESS_INTERFACE = 4;
    public static final int ADDRESS_QUEUE = 8;

    /** struct xdp_mmap_offsets: receive, transmit, fill, completion; each producer, consumer, entries, flags (8). */
    public static final int OFFSETS_LENGTH = 128;
    public static final int OFFSETS_RING = 32;

    /** struct xdp_desc: address (8), length (4), options (4). */
    public static final int DESCRIPTOR_SHIFT = 4;
    public static final int DESCRIPTOR_FRAME_LENGTH = 8;
    public static final int DESCRIPTOR_OPTIONS = 12;

    private Xdp()
    {
    }
}
