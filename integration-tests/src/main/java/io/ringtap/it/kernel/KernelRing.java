package io.ringtap.it.kernel;

import io.ringtap.sys.Mapping;
import io.ringtap.sys.Mman;
import org.agrona.concurrent.UnsafeBuffer;

import java.util.ArrayList;
import java.util.List;

/**
 * The reader's side of a BPF_MAP_TYPE_RINGBUF.
 * <pre>
 * page 0   position of the reader, who may write it
 * page 1   position of the writer
 * page 2   records, twice one behind the other: length, busy and discarded in its upper bits, page offset; data
 * </pre>
 */
public final class KernelRing implements AutoCloseable
{
    private static final int PAGE = 4096;
    private static final int HEADER = 8;
    private static final int DISCARDED = 1 << 30;
    private static final int LENGTH_MASK = DISCARDED - 1;

    private final Mapping reader;
    private final Mapping records;
    private final int mask;

    public KernelRing(final KernelMap map)
    {
        final int size = map.spec().maxEntries();
        mask = size - 1;
        reader = Mapping.shared(map.fd(), 0, PAGE, "reader's page");
        records = Mapping.of(map.fd(), PAGE, PAGE + 2L * size, Mman.PROT_READ, Mman.MAP_SHARED, "records");
    }

    /** All records there are, which are read with that. */
    public List<byte[]> drain()
    {
        final List<byte[]> found = new ArrayList<>();
        final UnsafeBuffer position = reader.buffer();
        final UnsafeBuffer data = records.buffer();
        final long end = data.getLongVolatile(0);
        long at = position.getLong(0);
        while (at < end)
        {
            final int record = PAGE + ((int)at & mask);
            final int head = data.getIntVolatile(record);
            final int length = head & LENGTH_MASK;
            if (head >= 0 && (head & DISCARDED) == 0)
            {
                final byte[] bytes = new byte[length];
                data.getBytes(record + HEADER, bytes);
                found.add(bytes);
            }
            at += HEADER + length + 7 & -8L;
            position.putLongVolatile(0, at);
        }
        return found;
    }

    @Override
    public void close()
    {
        reader.close();
        records.close();
    }
}
