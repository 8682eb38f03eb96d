package io.ringtap.capture;

import io.ringtap.sys.Errno;
import io.ringtap.sys.Fcntl;
import io.ringtap.sys.Fd;
import io.ringtap.sys.SyscallException;
import io.ringtap.sys.Syscalls;
import net.openhft.chronicle.bytes.MappedBytesStore;
import net.openhft.chronicle.bytes.MappedFile;
import net.openhft.chronicle.core.io.ReferenceOwner;
import org.agrona.concurrent.UnsafeBuffer;

import java.io.IOException;
import java.io.RandomAccessFile;
import java.lang.invoke.VarHandle;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.file.Path;

/**
 * A pcapng file that grows in mapped chunks and can be read at any moment, after a SIGKILL too: behind the last block
 * lies one of a type that readers skip, as long as the rest of what is mapped.
 * <pre>
 *   | blocks that were committed | filler ............................................................ | end of file
 *                                 ^ committed: the next block's header is written there last
 * </pre>
 * Each chunk is allocated on the disk before it is mapped: a full disk is an error to handle then, and not a SIGBUS.
 * Owned by one thread.
 */
final class CaptureFile implements AutoCloseable
{
    /** What is mapped and allocated at a time. */
    static final int CHUNK = 4 << 20;
    /** Mapped behind a chunk, so that a block never lies on the border. */
    static final int OVERLAP = 128 << 10;
    /** Longest block: what begins in a chunk ends, with a filler behind it, in the overlap. */
    static final int MAX_BLOCK = OVERLAP - CaptureFile.MIN_FILLER;
    /** A block without a body. */
    static final int MIN_FILLER = 12;

    /** One of the types reserved for local use (pcapng, 11.1): readers skip it by its length. */
    private static final long FILLER = 0x8052_5447L;
    private static final int LENGTH_SHIFT = 32;
    private static final int MODE = 0600;

    private final Path path;
    private final ReferenceOwner owner = ReferenceOwner.temporary("capture");
    private final Fd fd;
    private final MappedFile file;
    private MappedBytesStore store;
    private long chunkEnd;
    private long mappedEnd;
    private long position;
    private long committed;
    private long firstHeader;

    /**
     * Makes the file, readable for its owner only: frames are nobody else's business. Overwrites an older recording
     * but nothing else.
     */
    CaptureFile(final Path path)
    {
        this.path = path;
        fd = open(path);
        MappedFile opened = null;
        try
        {
            opened = MappedFile.of(path.toFile(), CHUNK, OVERLAP, false);
            file = opened;
            map(0);
        }
        catch (final IOException | RuntimeException ex)
        {
            if (opened != null)
            {
                opened.releaseLast();
            }
            fd.close();
            throw ex instanceof CaptureException refused ? refused : failure(ex);
        }
    }

    Path path()
    {
        return path;
    }

    /** Bytes written so far. */
    long length()
    {
        return position;
    }

    /**
     * Begins a block; its body is to be put at the offsets behind the returned one's header of eight bytes.
     *
     * @param length of the whole block, a multiple of 4 and at most {@link #MAX_BLOCK}.
     * @return where it begins.
     * @throws CaptureException when the disk is full.
     */
    long begin(final int type, final int length)
    {
        next();
        final long at = position;
        final long header = type & 0xffff_ffffL | (long)length << LENGTH_SHIFT;
        if (at == committed)
        {
            firstHeader = header;
        }
        else
        {
            store.writeLong(at, header);
        }
        store.writeInt(at + length - Integer.BYTES, length);
        position = at + length;
        return at;
    }

    /** Bytes that fit before the border of the chunk: of what is appended, the last block may go over it. */
    long room()
    {
        return position < chunkEnd ? chunkEnd - position : CHUNK - position % CHUNK;
    }

    /**
     * Adds whole blocks of at most {@link #MAX_BLOCK} bytes each, of which none but the first begins behind
     * {@link #room()}.
     *
     * @param from  of direct memory.
     * @param index where they begin in it.
     * @throws CaptureException when the disk is full.
     */
    void append(final UnsafeBuffer from, final int index, final int length)
    {
        next();
        if (position == committed)
        {
            firstHeader = from.getLong(index);
            store.write(position + Long.BYTES, from.byteBuffer(), index + Long.BYTES, length - Long.BYTES);
        }
        else
        {
            store.write(position, from.byteBuffer(), index, length);
        }
        position += length;
    }

    void putBytes(final long offset, final byte[] from)
    {
        store.write(offset, from, 0, from.length);
    }

    /** Shows readers of the file the blocks written since. */
    void commit()
    {
        if (position != committed)
        {
            fill();
            VarHandle.releaseFence();
            store.writeLong(committed, firstHeader);
            committed = position;
        }
    }

    /** Cuts the file behind its last block. */
    @Override
    public void close()
    {
        commit();
        release();
        file.releaseLast();
        try
        {
            Syscalls.ftruncate(fd.number(), position);
        }
        finally
        {
            fd.close();
        }
    }

    private static Fd open(final Path path)
    {
        try
        {
            final Fd fd = Syscalls.open(path.toString(),
                Fcntl.O_RDWR | Fcntl.O_CREAT | Fcntl.O_NOFOLLOW | Fcntl.O_CLOEXEC, MODE);
            try
            {
                clear(path, fd);
            }
            catch (final RuntimeException ex)
            {
                fd.close();
                throw ex;
            }
            return fd;
        }
        catch (final SyscallException ex)
        {
            throw new CaptureException(path.toString(), "cannot be written: " + ex.errnoName() + " (" +
                Errno.textOf(ex.errno()) + ")", "name a file in a directory that exists and may be written", ex);
        }
    }

    private static void clear(final Path path, final Fd fd)
    {
        final ByteBuffer start = ByteBuffer.allocateDirect(Integer.BYTES).order(ByteOrder.LITTLE_ENDIAN);
        final int found = Syscalls.read(
            fd.number(), new UnsafeBuffer(start), 0, Integer.BYTES);
        if (found != 0 && (found != Integer.BYTES || start.getInt(0) != PcapngWriter.SECTION_HEADER))
        {
            throw new CaptureException(path.toString(), "exists and is no pcapng file, so it is not overwritten",
                "name another file or delete this one", null);
        }
        Syscalls.ftruncate(fd.number(), 0);
    }

    /** Goes on to the next chunk when this one is full. */
    private void next()
    {
        if (position >= chunkEnd)
        {
            commit();
            map(position);
        }
    }

    /** Allocates and maps the chunk that holds an offset, and fills what lies behind it. */
    private void map(final long offset)
    {
        final long start = offset / CHUNK * CHUNK;
        final long end = start + CHUNK + OVERLAP;
        try
        {
            allocate(Math.max(start, mappedEnd), end);
            final MappedBytesStore next = file.acquireByteStore(owner, offset);
            release();
            store = next;
            Syscalls.populate(store.addressForWrite(offset), end - offset);
        }
        catch (final IOException ex)
        {
            throw failure(ex);
        }
        chunkEnd = start + CHUNK;
        mappedEnd = end;
        fill();
        committed = position;
    }

    private void allocate(final long from, final long end) throws IOException
    {
        final int result = Syscalls.fallocate(fd.number(), from, end - from);
        if (result == -Errno.EOPNOTSUPP)
        {
            // Some file systems cannot promise a place; zeroes that are written have one.
            final RandomAccessFile plain = file.raf();
            plain.seek(from);
            plain.write(new byte[(int)(end - from)]);
        }
        else if (result < 0)
        {
            throw new CaptureException(path.toString(), "cannot grow to " + end + " bytes: " +
                Errno.nameOf(-result) + " (" + Errno.textOf(-result) + ")", "make room on its file system", null);
        }
    }

    private void fill()
    {
        final long length = mappedEnd - position;
        store.writeInt(mappedEnd - Integer.BYTES, (int)length);
        store.writeLong(position, FILLER | length << LENGTH_SHIFT);
    }

    private void release()
    {
        if (store != null)
        {
            store.release(owner);
            store = null;
        }
    }

    private CaptureException failure(final Exception cause)
    {
        return new CaptureException(path.toString(), "cannot be mapped: " + cause.getMessage(),
            "name a file on a local file system", cause);
    }
}
