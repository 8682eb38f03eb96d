package io.ringtap.port;

import io.ringtap.counters.CounterLabel;

/** What a queue of a port counts. Frames are counted as handed over; a super-frame is one frame of many packets. */
public enum PortCounter implements CounterLabel
{
    /** Frames that the host took. */
    TX_FRAMES("tx_frames", "frames handed to the host"),
    /** Packets in these frames. */
    TX_PACKETS("tx_packets", "packets handed to the host, each packet of a super-frame counted"),
    /** Bytes in these frames. */
    TX_BYTES("tx_bytes", "bytes handed to the host, net headers not counted"),
    /** Entries to the kernel. */
    TX_CALLS("tx_calls", "system calls made to send"),
    /** Frames that came in. */
    RX_FRAMES("rx_frames", "frames taken from the host"),
    /** Bytes in these frames. */
    RX_BYTES("rx_bytes", "bytes taken from the host, net headers not counted"),
    /** Entries to the kernel. */
    RX_CALLS("rx_calls", "system calls made to receive"),
    /** EAGAIN: not lost, the caller tries again. */
    TX_HELD_BACK("tx_held_back", "times the host's queue was full and frames were kept for later (EAGAIN)"),
    /** EINVAL. */
    TX_REJECTED("tx_rejected", "frames the host refused for their content (EINVAL)"),
    /** EIO: the interface is down. */
    TX_LINK_DOWN("tx_link_down", "frames lost because the host's interface is down (EIO)"),
    /** Longer than any port carries. */
    TX_TOO_LONG("tx_too_long", "frames longer than the port carries"),
    /** CVE-2024-41090: we refuse these ourselves. */
    TX_RUNT("tx_runt", "frames shorter than an Ethernet header"),
    /** EFAULT: the guest's memory was taken away while its frame was sent. */
    TX_FAULT("tx_fault", "frames whose memory could not be read (EFAULT)"),
    /** ENOBUFS, ENOMEM. */
    TX_NO_MEMORY("tx_no_memory", "frames the host had no memory for (ENOBUFS, ENOMEM)"),
    /** Any other errno. */
    TX_FAILED("tx_failed", "frames refused with an errno that has no counter of its own"),
    /** EBADFD. */
    TX_GONE("tx_gone", "frames lost because the host's interface no longer exists (EBADFD)"),
    /** Did not fit the buffer offered. */
    RX_TRUNCATED("rx_truncated", "received frames dropped because they were cut to the buffer's size"),
    /** Shorter than an Ethernet header. */
    RX_RUNT("rx_runt", "received frames dropped because they are shorter than an Ethernet header"),
    /** No page for a frame: it waits in the host's queue. */
    RX_NO_FRAGMENT("rx_no_fragment", "times receiving paused because no page fragment was free"),
    /** A read failed. */
    RX_FAILED("rx_failed", "reads that failed for another reason than an empty queue"),
    /** Super-frames that neither kernel nor device cut. */
    TX_SEGMENTED("tx_segmented", "super-frames cut in software because the port takes only their packets"),
    /** What the kernel took out of a ring and refused, which it tells in bytes only. */
    TX_UNSENT_BYTES("tx_unsent_bytes", "bytes of frames that the kernel took out of a ring and did not send"),
    /** PACKET_STATISTICS. */
    RX_DROPPED("rx_dropped", "frames the kernel dropped because the ring was full"),
    /** A sleeping flusher was woken. */
    DOORBELL_RUNG("doorbell_rung", "times a sleeping flusher was woken by the worker"),
    /** Calls of the flusher. */
    DOORBELL_FLUSHES("doorbell_flushes", "system calls made to send by the flusher instead of the worker"),
    /** The flusher saw more frames before it went to sleep. */
    DOORBELL_LINGERS("doorbell_lingers", "times a lingering flusher found frames without being woken"),
    /** The flusher did not run. */
    DOORBELL_HELPED("doorbell_helped", "times the worker flushed by itself because the flusher did not keep up"),
    /** The ring was given up. */
    IO_REFUSED("io_refused", "times the kernel refused io_uring under way and single system calls took its place"),
    /** The interface was deleted under us. */
    DEVICE_GONE("device_gone", "times the host's interface was deleted under the port"),
    /** The interface came back. */
    DEVICE_BACK("device_back", "times a deleted interface was opened again");

    private final String label;
    private final String meaning;

    PortCounter(final String label, final String meaning)
    {
        this.label = label;
        this.meaning = meaning;
    }

    @Override
    public String label()
    {
        return label;
    }

    @Override
    public String meaning()
    {
        return meaning;
    }
}
