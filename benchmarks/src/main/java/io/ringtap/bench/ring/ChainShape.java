package io.ringtap.bench.ring;

/** How a driver lays a frame into descriptors. */
enum ChainShape
{
    /** Header and frame in one buffer, as drivers with ANY_LAYOUT or VERSION_1 do. */
    ONE_BUFFER("tx, 1 buffer,"),
    /** The header in a buffer of its own. */
    TWO_BUFFERS("tx, 2 buffers,"),
    /** The same in a table of its own. */
    TABLE("tx, table of 2,"),
    /** A buffer lent for a frame to receive. */
    RECEIVE("rx, 1 buffer,");

    private final String label;

    ChainShape(final String label)
    {
        this.label = label;
    }

    String label()
    {
        return label;
    }
}
