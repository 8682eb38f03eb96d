package io.ringtap.hostile;

import java.util.List;
import java.util.function.Function;

/**
 * A range that is not wholly the guest's.
 *
 * @param name  what is wrong with it.
 * @param hole  whether the memory must have a hole for it.
 * @param piece where it lies, as a readable buffer.
 */
record BadBuffer(String name, boolean hole, Function<HostileDriver, Piece> piece)
{
    static final List<BadBuffer> ALL = List.of(
        of("at address 0", (d) -> Piece.readable(0, 60)),
        of("that ends where memory begins", (d) -> Piece.readable(d.start() - 60, 60)),
        of("that begins a byte before memory", (d) -> Piece.readable(d.start() - 1, 60)),
        of("that ends a byte behind memory", (d) -> Piece.readable(d.end() - 59, 60)),
        of("that begins behind memory", (d) -> Piece.readable(d.end(), 1)),
        of("at the last address of all", (d) -> Piece.readable(-1, 60)),
        of("that wraps to address 16", (d) -> Piece.readable(-16, 32)),
        of("at 2^63 - 1", (d) -> Piece.readable(Long.MAX_VALUE, 60)),
        of("at 2^63", (d) -> Piece.readable(Long.MIN_VALUE, 60)),
        of("2^63 above memory", (d) -> Piece.readable(d.frameAddress() + Long.MIN_VALUE, 60)),
        of("at an address of the front-end", (d) -> Piece.readable(d.frontendAddress(), 60)),
        of("of 2^32 - 1 bytes", (d) -> Piece.readable(d.start(), -1)),
        of("of 2^31 bytes", (d) -> Piece.readable(d.start(), Integer.MIN_VALUE)),
        of("of 2^31 - 1 bytes", (d) -> Piece.readable(d.frameAddress(), Integer.MAX_VALUE)),
        of("of 2^32 - 1 bytes behind memory", (d) -> Piece.readable(d.end() - 1, -1)),
        new BadBuffer("in a hole of memory", true, (d) -> Piece.readable(d.border() + 4096, 60)),
        new BadBuffer("that reaches into a hole", true, (d) -> Piece.readable(d.border() - 30, 60)),
        new BadBuffer("over a whole hole", true, (d) -> Piece.readable(d.border() - 30, (int)Attack.HOLE + 60)));

    private static BadBuffer of(final String name, final Function<HostileDriver, Piece> piece)
    {
        return new BadBuffer(name, false, piece);
    }
}
