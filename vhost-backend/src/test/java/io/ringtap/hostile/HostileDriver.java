package io.ringtap.hostile;

import io.ringtap.frontend.Frontend;
import io.ringtap.frontend.FrontendConfig;
import io.ringtap.frontend.FrontendMemory.Region;
import io.ringtap.sys.EventFd;
import org.agrona.concurrent.UnsafeBuffer;

import java.util.Arrays;

import static org.junit.jupiter.api.Assertions.assertEquals;

/**
 * The driver of the attacked NIC: two queue pairs whose rings it writes by hand, and memory full of marks, so that
 * every byte that the device had no business to write is noticed.
 */
final class HostileDriver implements AutoCloseable
{
    static final int RECEIVE = 0;
    static final int SEND = 1;
    static final int OTHER_RECEIVE = 2;
    static final int OTHER_SEND = 3;
    static final int HEADER = 12;
    /** Bytes of {@link #room()}. */
    static final int ROOM = 1 << 12;
    private static final int RINGS = 4;
    private static final int FRAME_BYTES = 72 * 1024;
    private static final int TABLE_BYTES = 16 * 1024;
    private static final int ALIGNMENT = 64;
    private static final byte MARK = (byte)0xA5;

    private final Frontend frontend;
    private final RawRing[] rings = new RawRing[RINGS];
    private final UnsafeBuffer memory;
    private final int headerAt;
    private final int frameAt;
    private final int tableAt;
    private final int roomAt;
    private final int goodAt;
    private final int bookEnd;
    private byte[] image;

    HostileDriver(final FrontendConfig config)
    {
        frontend = new Frontend(config);
        try
        {
            frontend.connect();
        }
        catch (final RuntimeException ex)
        {
            frontend.close();
            throw ex;
        }
        memory = frontend.memory().buffer();
        for (int i = 0; i < RINGS; i++)
        {
            rings[i] = RawRing.of(frontend.ring(i).ring());
        }
        headerAt = frontend.memory().allocate(ALIGNMENT, ALIGNMENT);
        bookEnd = headerAt;
        frameAt = frontend.memory().allocate(FRAME_BYTES, ALIGNMENT);
        tableAt = frontend.memory().allocate(TABLE_BYTES, ALIGNMENT);
        roomAt = frontend.memory().allocate(ROOM * RINGS, ALIGNMENT);
        goodAt = frontend.memory().allocate(ROOM, ALIGNMENT);
        memory.setMemory(goodAt + ROOM, memory.capacity() - goodAt - ROOM, MARK);
        memory.setMemory(roomAt, ROOM * RINGS, MARK);
        frontend.start();
    }

    Frontend frontend()
    {
        return frontend;
    }

    RawRing ring(final int index)
    {
        return rings[index];
    }

    RawSplitRing split(final int index)
    {
        return (RawSplitRing)rings[index];
    }

    RawPackedRing packed(final int index)
    {
        return (RawPackedRing)rings[index];
    }

    UnsafeBuffer memory()
    {
        return memory;
    }

    /** Guest address of the net header; it is empty unless {@link #header(int...)} wrote it. */
    long headerAddress()
    {
        return address(headerAt);
    }

    /** Guest address of {@value #FRAME_BYTES} bytes of frame. */
    long frameAddress()
    {
        return address(frameAt);
    }

    long tableAddress()
    {
        return address(tableAt);
    }

    /** Guest address of {@value #ROOM} bytes to receive into. */
    long room()
    {
        return address(roomAt);
    }

    /** The first byte of memory. */
    long start()
    {
        return frontend.memory().regions().get(0).guestAddress();
    }

    /** Behind the first region. */
    long border()
    {
        final Region first = frontend.memory().regions().get(0);
        return first.guestAddress() + first.size();
    }

    /** Behind the last byte of memory. */
    long end()
    {
        final Region last = frontend.memory().regions().get(1);
        return last.guestAddress() + last.size();
    }

    /** What the front-end calls the frame's place: not an address of the guest. */
    long frontendAddress()
    {
        return frontend.memory().frontendAddress(frameAt);
    }

    private long address(final int offset)
    {
        return frontend.memory().guestAddress(offset);
    }

    /** The net header as one buffer. */
    Piece header()
    {
        return Piece.readable(headerAddress(), HEADER);
    }

    /** The frame as one buffer. */
    Piece frame()
    {
        return frame(WireFrames.LENGTH);
    }

    Piece frame(final int length)
    {
        return Piece.readable(frameAddress(), length);
    }

    /** Writes the frame that {@link #frame} sends; the header in front of it is empty. */
    void write(final byte[] frame)
    {
        memory.setMemory(headerAt, HEADER, (byte)0);
        memory.setMemory(frameAt, FRAME_BYTES, (byte)0);
        memory.putBytes(frameAt, frame);
    }

    /** Writes a net header: flags, type, and the four 16-bit fields behind them. */
    void header(final int... fields)
    {
        memory.putByte(headerAt, (byte)fields[0]);
        memory.putByte(headerAt + 1, (byte)fields[1]);
        for (int i = 2; i < fields.length; i++)
        {
            memory.putShort(headerAt + 2 * i - 2, (short)fields[i]);
        }
    }

    /** Writes an entry of the table. */
    void entry(final int index, final Piece piece, final int next)
    {
        rings[SEND].driver().pokeTable(tableAddress(), index, piece.address(), piece.length(), piece.flags(), next);
    }

    /** Writes pieces into the table as its entries, linked where the layout links them. */
    Piece table(final Piece... pieces)
    {
        final boolean isSplit = rings[SEND] instanceof RawSplitRing;
        for (int i = 0; i < pieces.length; i++)
        {
            final boolean isLast = i == pieces.length - 1;
            entry(i, isLast || !isSplit ? pieces[i] : pieces[i].with(Piece.NEXT), isLast || !isSplit ? 0 : i + 1);
        }
        return Piece.table(tableAddress(), 16 * pieces.length);
    }

    /** Shows the device a chain and kicks. @return what the used entry will name. */
    int offer(final int ring, final Piece... pieces)
    {
        remember();
        final int id = rings[ring].offer(pieces);
        kick(ring);
        return id;
    }

    /** From now on the device may write into rings and room only. */
    void remember()
    {
        if (null == image)
        {
            image = new byte[memory.capacity()];
            memory.getBytes(0, image);
        }
    }

    void kick(final int ring)
    {
        frontend.ring(ring).kick().signal();
    }

    /** Sends a frame that nothing is wrong with. */
    void sendGood(final int ring)
    {
        final byte[] frame = WireFrames.udp(0, 1000 + ring, ring, WireFrames.LENGTH);
        memory.setMemory(goodAt, HEADER, (byte)0);
        memory.putBytes(goodAt + HEADER, frame);
        rings[ring].offer(Piece.readable(address(goodAt), HEADER + frame.length));
        kick(ring);
    }

    /** Lends a buffer to receive into. */
    int lend(final int ring)
    {
        final int at = roomAt + ROOM * (1 + ring / 2);
        memory.setMemory(at, ROOM, MARK);
        final int id = rings[ring].offer(Piece.writable(address(at), ROOM));
        kick(ring);
        return id;
    }

    /** Whether the buffer that was lent last holds this frame. */
    boolean holds(final int ring, final byte[] frame)
    {
        return lies(roomAt + ROOM * (1 + ring / 2), frame);
    }

    /** Whether this frame lies at {@link #room()}. */
    boolean hasReceived(final byte[] frame)
    {
        return lies(roomAt, frame);
    }

    private boolean lies(final int at, final byte[] frame)
    {
        final byte[] bytes = new byte[frame.length];
        memory.getBytes(at + HEADER, bytes);
        return Arrays.equals(frame, bytes);
    }

    boolean hasError(final int ring)
    {
        final EventFd error = frontend.ring(ring).error();
        return 0 != error.drain();
    }

    /** Every byte but those of rings and room is as it was when the first chain was shown. */
    void checkMemory()
    {
        if (null == image)
        {
            return;
        }
        final byte[] now = new byte[image.length];
        memory.getBytes(0, now);
        Arrays.fill(now, 0, bookEnd, (byte)0);
        Arrays.fill(image, 0, bookEnd, (byte)0);
        Arrays.fill(now, roomAt, goodAt + ROOM, (byte)0);
        Arrays.fill(image, roomAt, goodAt + ROOM, (byte)0);
        assertEquals(-1, Arrays.mismatch(image, now), "the device wrote where nobody lent it anything, at");
    }

    @Override
    public void close()
    {
        frontend.close();
    }
}
