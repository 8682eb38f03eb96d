package io.ringtap.vhost.session;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.Arrays;

import io.ringtap.sys.Fd;
import io.ringtap.sys.FdMessage;
import io.ringtap.sys.FdList;
import io.ringtap.sys.Memory;
import io.ringtap.sys.Sockets;
import org.agrona.concurrent.UnsafeBuffer;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** The stream and its descriptors, whatever pieces they come in. */
class ConnectionTest
{
    private static final int LARGE = 16 * 1024;

    private final FdMessage transport = new FdMessage();
    private final UnsafeBuffer buffer = Memory.scratch(LARGE);
    private final Connection connection = new Connection();
    private Fd peer;
    private int open;

    @BeforeEach
    void setUp()
    {
        open = OpenDescriptors.count();
        final Fd[] ends = SessionFixture.socketPair();
        peer = ends[0];
        connection.open(ends[1]);
    }

    @AfterEach
    void tearDown()
    {
        connection.close();
        peer.close();
        assertEquals(open, OpenDescriptors.count());
    }

    @Test
    void shouldWaitWhileNothingIsThere()
    {
        assertEquals(Connection.WAITING, connection.receive());
        assertEquals(Connection.WAITING, connection.receive());
    }

    @Test
    void shouldPutAMessageTogether()
    {
        final byte[] message = FrontendScript.message(2, 1, Payloads.u64(0x1234));
        for (int i = 0; i < message.length - 1; i++)
        {
            send(message, i, 1, 0);
            assertEquals(Connection.WAITING, connection.receive());
        }

        assertTrue(connection.isInsideMessage());
        send(message, message.length - 1, 1, 0);
        assertEquals(Connection.MESSAGE, connection.receive());
        assertEquals(8, connection.payloadLength());
        assertEquals(0x1234, connection.buffer().getLong(12));
    }

    /** The kernel joins bytes without descriptors and the following ones with descriptors in one read. */
    @Test
    void shouldTellWhoseTheDescriptorsAreWhenMessagesAreGlued()
    {
        final byte[] plain = FrontendScript.message(3, 1, Payloads.NONE);
        final byte[] first = FrontendScript.message(12, 1, Payloads.withDescriptor(0));
        final byte[] second = FrontendScript.message(13, 1, Payloads.withDescriptor(1));
        send(plain, 0, plain.length, 0);
        send(first, 0, first.length, 1);
        send(second, 0, second.length, 2);
        send(plain, 0, plain.length, 0);

        assertMessage(3, 0);
        assertMessage(12, 1);
        assertMessage(13, 2);
        assertMessage(3, 0);
        assertEquals(Connection.WAITING, connection.receive());
    }

    @Test
    void shouldNotTakeDescriptorsInTheMiddleOfAMessage()
    {
        final byte[] message = FrontendScript.message(12, 1, Payloads.withDescriptor(0));
        send(message, 0, 12, 0);
        send(message, 12, 8, 1);

        assertThrows(ProtocolViolationException.class, connection::receive);
    }

    @Test
    void shouldSeeAFloodOfDescriptors()
    {
        final byte[] message = FrontendScript.message(12, 1, Payloads.withDescriptor(0));
        final int[] flood = new int[200];
        Arrays.fill(flood, peer.number());
        DescriptorFlood.send(peer.number(), message, flood);

        assertEquals(Connection.MESSAGE, connection.receive());
        assertTrue(connection.descriptors().isTruncated());
        assertEquals(0, connection.descriptors().size());
        connection.next();
        assertEquals(open + 2, OpenDescriptors.count());
    }

    @Test
    void shouldNotReadAPayloadThatIsTooLong()
    {
        final byte[] longest = FrontendScript.message(24, 1, Payloads.zeros(4096));
        send(longest, 0, longest.length, 0);
        assertMessage(24, 0);

        final byte[] header = Payloads.buffer(12).putInt(24).putInt(1).putInt(4097).array();
        send(header, 0, 12, 0);
        assertThrows(ProtocolViolationException.class, connection::receive);
    }

    @Test
    void shouldNotReadAPayloadOfNegativeLength()
    {
        send(Payloads.buffer(12).putInt(24).putInt(1).putInt(-1).array(), 0, 12, 0);

        assertThrows(ProtocolViolationException.class, connection::receive);
    }

    @Test
    void shouldNotReadOtherVersions()
    {
        send(Payloads.buffer(12).putInt(1).putInt(2).putInt(0).array(), 0, 12, 0);

        assertThrows(ProtocolViolationException.class, connection::receive);
    }

    @Test
    void shouldSeeThePeerGo()
    {
        final byte[] message = FrontendScript.message(3, 1, Payloads.NONE);
        send(message, 0, message.length, 0);
        send(message, 0, 5, 0);
        peer.close();

        assertMessage(3, 0);
        assertEquals(Connection.CLOSED, connection.receive());
        assertTrue(connection.isInsideMessage());
    }

    @Test
    void shouldKeepRepliesForAPeerThatReadsLate()
    {
        Sockets.setOption(connection.number(), Sockets.SOL_SOCKET, Sockets.SO_SNDBUF, 4096);
        final UnsafeBuffer reply = Memory.scratch(20);
        int sent = 0;
        while (!connection.hasUnsent() || sent % 50 != 0)
        {
            reply.putInt(0, sent++);
            connection.send(reply, 0, 20);
        }

        final FdList none = new FdList();
        int read = 0;
        int at = 0;
        while (read < sent)
        {
            at += Math.max(0, transport.receive(peer.number(), buffer, at, 20 - at, none));
            if (20 == at)
            {
                assertEquals(read++, buffer.getInt(0));
                at = 0;
            }

            connection.flush();
        }

        assertTrue(!connection.hasUnsent());
    }

    @Test
    void shouldGiveUpOnAPeerThatNeverReads()
    {
        final UnsafeBuffer reply = Memory.scratch(20);

        final ProtocolViolationException ex = assertThrows(ProtocolViolationException.class, () ->
        {
            for (int i = 0; i < 1_000_000; i++)
            {
                connection.send(reply, 0, 20);
            }
        });

        assertTrue(ex.getMessage().contains("unread"), ex.getMessage());
    }

    @Test
    void shouldNotMindAPeerThatIsGone()
    {
        peer.close();

        connection.send(Memory.scratch(20), 0, 20);

        assertEquals(Connection.CLOSED, connection.receive());
    }

    @Test
    void shouldStartAfreshForTheNextPeer()
    {
        final byte[] message = FrontendScript.message(3, 1, Payloads.NONE);
        send(message, 0, 5, 1);
        assertEquals(Connection.WAITING, connection.receive());
        connection.close();
        peer.close();

        final Fd[] ends = SessionFixture.socketPair();
        peer = ends[0];
        connection.open(ends[1]);
        send(message, 0, message.length, 0);

        assertMessage(3, 0);
    }

    private void assertMessage(final int code, final int descriptorCount)
    {
        assertEquals(Connection.MESSAGE, connection.receive());
        assertEquals(code, connection.header().request());
        assertEquals(descriptorCount, connection.descriptors().size());
        connection.next();
    }

    private void send(final byte[] bytes, final int offset, final int length, final int descriptorCount)
    {
        buffer.putBytes(0, bytes, offset, length);
        final int[] descriptors = new int[descriptorCount];
        Arrays.fill(descriptors, peer.number());
        assertEquals(length, transport.send(peer.number(), buffer, 0, length, descriptors, descriptorCount));
    }
}
