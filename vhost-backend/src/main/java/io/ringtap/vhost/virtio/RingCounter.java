package io.ringtap.vhost.virtio;

import io.ringtap.counters.CounterLabel;

import java.util.Locale;

/** What is counted of a ring; from {@link #BUFFER_STRADDLES} on, what its driver did wrong or oddly. */
public enum RingCounter implements CounterLabel
{
    /** Chains. */
    CHAINS("descriptor chains returned to the driver"),
    /** Publications. */
    PUBLICATIONS("batches of used chains made visible to the driver"),
    /** Notifications wanted. */
    NOTIFICATIONS("publications that the driver wanted to be notified of"),
    /** Taken by whoever served the ring before. */
    RESUMED("descriptor chains that were in flight when the backend before us ended"),
    /** Wake-ups by the driver. */
    KICKS("times a kick of the driver woke the worker"),

    /** A page behind the guest's IOMMU that is asked for. */
    AWAITED("times a chain had to wait for a translation of the guest's IOMMU"),
    /** A page without a bit. */
    LOG_OUTSIDE("writes during a migration that have no bit in the dirty log"),

    /** A buffer in several regions. */
    BUFFER_STRADDLES("buffers that lay in more than one memory region and were split"),
    /** MALFORMED. */
    BUFFER_UNMAPPED("chains with a buffer that is not wholly in the guest's memory"),
    /** MALFORMED. */
    BUFFER_ORDER("chains with a readable buffer after a writable one"),
    /** MALFORMED. */
    CHAIN_BUFFERS("chains of more buffers than a chain may have"),
    /** MALFORMED. */
    CHAIN_BYTES("chains of more readable bytes than a frame can have"),
    /** MALFORMED in a split ring and in a table, BROKEN in a packed ring. */
    CHAIN_ENDLESS("chains of more descriptors than the ring has, or that loop"),
    /** MALFORMED. */
    NEXT_RANGE("descriptors whose next index is not in the table"),
    /** MALFORMED. */
    INDIRECT_UNEXPECTED("indirect descriptors without the feature"),
    /** MALFORMED. */
    INDIRECT_CHAINED("indirect descriptors with a next one"),
    /** MALFORMED. */
    INDIRECT_NESTED("indirect descriptors in an indirect table"),
    /** MALFORMED. */
    INDIRECT_LENGTH("indirect tables that are empty, too long or not a multiple of 16 bytes"),
    /** MALFORMED. */
    INDIRECT_UNMAPPED("indirect tables that are not wholly in one region of the guest's memory"),

    /** BROKEN. */
    HEAD_RANGE("rings stopped: a head is not in the descriptor table"),
    /** BROKEN. */
    AVAILABLE_LEAD("rings stopped: more chains are available than the ring has descriptors"),
    /** BROKEN. */
    UNMAPPED("rings stopped: the new memory map does not hold the ring");

    private final String meaning;

    RingCounter(final String meaning)
    {
        this.meaning = meaning;
    }

    /** Whether the driver did something wrong or odd. */
    public boolean isFault()
    {
        return BUFFER_STRADDLES.ordinal() <= ordinal();
    }

    @Override
    public String label()
    {
        return name().toLowerCase(Locale.ROOT);
    }

    @Override
    public String meaning()
    {
        return meaning;
    }
}
