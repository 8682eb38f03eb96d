package io.ringtap.hostile;

/**
 * One descriptor as a driver writes it; NEXT is added where a chain goes on.
 *
 * @param address guest address of the buffer or table.
 * @param length  unsigned.
 * @param flags   WRITE, INDIRECT and whatever a hostile driver adds.
 */
record Piece(long address, int length, int flags)
{
    static final int NEXT = 1;
    static final int WRITE = 2;
    static final int INDIRECT = 4;

    static Piece readable(final long address, final int length)
    {
        return new Piece(address, length, 0);
    }

    static Piece writable(final long address, final int length)
    {
        return new Piece(address, length, WRITE);
    }

    static Piece table(final long address, final int length)
    {
        return new Piece(address, length, INDIRECT);
    }

    Piece with(final int more)
    {
        return new Piece(address, length, flags | more);
    }
}
