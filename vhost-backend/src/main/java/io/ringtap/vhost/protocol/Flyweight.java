package io.ringtap.vhost.protocol;

import org.agrona.MutableDirectBuffer;

/** A window on a message in a buffer; fields are read where they lie, in little-endian order (that of x86-64). */
abstract class Flyweight
{
    MutableDirectBuffer buffer;
    int offset;

    final void point(final MutableDirectBuffer buffer, final int offset)
    {
        this.buffer = buffer;
        this.offset = offset;
    }
}
