package io.ringtap.vhost.guest;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.BitSet;
import java.util.List;
import java.util.Random;

import io.ringtap.sys.Fd;
import io.ringtap.sys.Mapping;
import io.ringtap.sys.MemFd;
import io.ringtap.sys.Syscalls;
import org.agrona.concurrent.UnsafeBuffer;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** The bitmap that a front-end reads, bit by bit. */
class DirtyLogTest
{
    private static final int SIZE = 64;
    private static final int FILE = 8192;
    private static final long PAGE = 4096;

    private final Fd file = MemFd.create("log", FILE);
    private final Mapping mapping = Mapping.shared(file.number(), 0, FILE, "log");
    private final UnsafeBuffer bytes = mapping.buffer();

    @AfterEach
    void close()
    {
        mapping.close();
        file.close();
    }

    @ParameterizedTest
    @ValueSource(ints = {0, 1, 13, 4096, 5000})
    void shouldMarkEveryPageOfARangeAndNoOther(final int offset)
    {
        final Random random = new Random(offset);
        try (DirtyLog log = map(SIZE, offset))
        {
            for (int i = 0; i < 200; i++)
            {
                bytes.setMemory(0, FILE, (byte)0);
                final long from = random.nextInt((int)(SIZE * 8 * PAGE));
                final long length = 1 + random.nextInt((int)Math.min(60 * PAGE, SIZE * 8 * PAGE - from));
                assertTrue(log.mark(from, length));
                final BitSet expected = new BitSet();
                expected.set((int)(from / PAGE), (int)((from + length - 1) / PAGE) + 1);
                assertEquals(expected, bits(offset), from + " + " + length);
                assertEquals(expected, bits(0, FILE).get(offset * 8, FILE * 8), "outside the log");
            }
        }
    }

    @Test
    void shouldKeepBitsThatAreThere()
    {
        try (DirtyLog log = map(SIZE, 0))
        {
            bytes.putByte(3, (byte)0x81);
            log.mark(25 * PAGE, 1);
            assertEquals((byte)0x83, bytes.getByte(3));
            log.mark(0, 0);
            assertEquals(0, bytes.getByte(0));
        }
    }

    @ParameterizedTest
    @CsvSource({
        "2097152, 1, 0",
        "2097151, 2, 1",
        "2093056, 4096, 1",
        "2093056, 4097, 1",
        "0, 9223372036854775807, 512",
        "-1, 1, 0",
        "-4096, 8192, 0",
        "-1, 9223372036854775807, 0",
        "9223372036854775807, 4096, 0",
        "-9223372036854775808, 4096, 0"})
    void shouldMarkNothingOutside(final long from, final long length, final int marked)
    {
        try (DirtyLog log = map(SIZE, 100))
        {
            final boolean isInside = from >= 0 && from < SIZE * 8 * PAGE && length <= SIZE * 8 * PAGE - from;
            assertEquals(isInside, log.mark(from, length));
            assertEquals(marked, bits(0, FILE).cardinality());
            assertEquals(marked, bits(100).cardinality());
        }
    }

    @ParameterizedTest
    @CsvSource({"0, 0", "-1, 0", "64, -1", "8193, 0", "4096, 4097", "9223372036854775807, 0",
        "64, 9223372036854775807", "8589934593, 0"})
    void shouldRefuseWhatIsNotInTheFile(final long size, final long offset)
    {
        assertThrows(GuestMemoryException.class, () -> map(size, offset));
    }

    @Test
    void shouldRefuseWhatIsNoFile()
    {
        final Fd[] ends = new Fd[2];
        Syscalls.pipe(ends, 0);
        assertThrows(GuestMemoryException.class, () -> DirtyLog.map(ends[0], 64, 0));
        assertFalse(ends[0].isOpen());
        ends[1].close();
    }

    @Test
    void shouldSealALogThatIsNotSealedSoThatNobodyCutsItOff()
    {
        assertFalse(MemFd.isSealedAgainstShrink(file.number()));
        try (DirtyLog log = map(SIZE, 0))
        {
            assertTrue(MemFd.isSealedAgainstShrink(file.number()));
            assertTrue(log.mark(0, 1));
        }
    }

    /** A front-end may refuse the seal, and then has no log: its migration fails, and nothing else. */
    @Test
    void shouldRefuseALogThatCouldBeCutOff()
    {
        MemFd.seal(file.number(), MemFd.F_SEAL_SEAL);
        assertThrows(GuestMemoryException.class, () -> map(FILE, 0));
    }

    @Test
    void shouldMarkAllOfTheGuestsMemory()
    {
        final GuestMemory memory = GuestMemory.map(List.of(
            new RegionRequest(0, 3 * PAGE, 1L << 40, 0, MemFd.create("a", 3 * PAGE)),
            new RegionRequest(100 * PAGE, 2 * PAGE, 2L << 40, 0, MemFd.create("b", 2 * PAGE))));
        try (memory; DirtyLog log = map(SIZE, 0))
        {
            assertTrue(memory.markAll(log));
            final BitSet expected = new BitSet();
            expected.set(0, 3);
            expected.set(100, 102);
            assertEquals(expected, bits(0));
        }
    }

    private DirtyLog map(final long size, final long offset)
    {
        return DirtyLog.map(Fd.of(Syscalls.dup(file.number()).release()), size, offset);
    }

    private BitSet bits(final int offset)
    {
        return bits(offset, SIZE);
    }

    private BitSet bits(final int offset, final int length)
    {
        final byte[] copy = new byte[length];
        bytes.getBytes(offset, copy);
        return BitSet.valueOf(copy);
    }
}
