package io.ringtap.sandbox;

/** What only some NICs need of the kernel: it stays open for a process that has such NICs, and is shut for others. */
public enum Door
{
    /** Sockets of AF_PACKET. */
    PACKET_SOCKETS("packet sockets"),
    /** Sockets of AF_XDP. */
    XDP_SOCKETS("AF_XDP sockets"),
    /** bpf(2): a map and a program made, filled and attached to a device. */
    XDP_ATTACH("bpf(2) to attach the program of AF_XDP sockets"),
    /** bpf(2): maps and programs made, attached to nothing. */
    XDP_ORACLE("bpf(2) to ask the kernel's verifier"),
    /** mknod(2) of a character device, which macvtaps need where udev does not make it. */
    DEVICE_FILES("files of devices"),
    /** io_uring, by which a process could make sockets that this filter does not see. */
    IO_URING("io_uring");

    private final String words;

    Door(final String words)
    {
        this.words = words;
    }

    /** What it leads to, for people. */
    public String words()
    {
        return words;
    }
}
