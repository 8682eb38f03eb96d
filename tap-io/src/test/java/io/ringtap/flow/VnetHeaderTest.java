package io.ringtap.flow;

import io.ringtap.RandomSeed;
import org.agrona.concurrent.UnsafeBuffer;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

import java.util.Random;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

/** Layout of the net header, and every rule by which a guest's header is refused. */
class VnetHeaderTest
{
    private static final int AT = 16;

    private final UnsafeBuffer buffer = new UnsafeBuffer(new byte[256]);

    @BeforeEach
    void dirty()
    {
        buffer.setMemory(0, buffer.capacity(), (byte)0x5A);
    }

    @Test
    void shouldLayOutFieldsAsTheSpecificationDoes()
    {
        VnetHeader.superFrame(buffer, AT, VnetHeader.GSO_TCPV6, 0x1234, 0x5678, 0x9ABC, 0xDEF0);
        VnetHeader.bufferCount(buffer, AT, 0x0201);
        final int[] expected = { 1, 4, 0x78, 0x56, 0x34, 0x12, 0xBC, 0x9A, 0xF0, 0xDE, 1, 2 };
        for (int i = 0; i < expected.length; i++)
        {
            assertEquals(expected[i], buffer.getByte(AT + i) & 0xFF, "byte " + i);
        }
        assertEquals(12, VnetHeader.LENGTH);
        assertEquals(0x5A, buffer.getByte(AT - 1));
        assertEquals(0x5A, buffer.getByte(AT + 12));
        assertEquals(0x1234, VnetHeader.gsoSize(buffer, AT));
        assertEquals(0x5678, VnetHeader.headerLength(buffer, AT));
        assertEquals(0x9ABC, VnetHeader.checksumStart(buffer, AT));
        assertEquals(0xDEF0, VnetHeader.checksumOffset(buffer, AT));
        assertEquals(0x0201, VnetHeader.bufferCount(buffer, AT));
    }

    @Test
    void shouldClearAllTwelveBytes()
    {
        VnetHeader.clear(buffer, AT);
        for (int i = 0; i < 12; i++)
        {
            assertEquals(0, buffer.getByte(AT + i));
        }
        assertEquals(0x5A, buffer.getByte(AT + 12));
    }

    @Test
    void shouldAcceptPlainFrameAndForgetWhatItsFieldsSay()
    {
        header(0, 0, 999, 77, 0xFFFF, 0xFFFF);
        assertEquals(VnetFault.OK, validate(60, Offloads.NONE));
        assertEquals(0, VnetHeader.headerLength(buffer, AT));
        assertEquals(0, VnetHeader.gsoSize(buffer, AT));
        assertEquals(0, VnetHeader.checksumStart(buffer, AT));
    }

    @Test
    void shouldForgetFlagsThatADriverMustNotSet()
    {
        header(0xFE, 0, 0, 0, 0, 0);
        assertEquals(VnetFault.OK, validate(60, Offloads.ALL));
        assertEquals(0, VnetHeader.flags(buffer, AT));
        header(0xFF, 0, 0, 0, 34, 6);
        assertEquals(VnetFault.OK, validate(60, Offloads.ALL));
        assertEquals(VnetHeader.NEEDS_CSUM, VnetHeader.flags(buffer, AT));
    }

    @Test
    void shouldRefuseFramesOfImpossibleLength()
    {
        header(0, 0, 0, 0, 0, 0);
        assertEquals(VnetFault.FRAME_TOO_SHORT, validate(13, Offloads.ALL));
        assertEquals(VnetFault.FRAME_TOO_SHORT, validate(0, Offloads.ALL));
        assertEquals(VnetFault.FRAME_TOO_SHORT, validate(-1, Offloads.ALL));
        assertEquals(VnetFault.OK, validate(14, Offloads.ALL));
        assertEquals(VnetFault.OK, validate(65550, Offloads.ALL));
        assertEquals(VnetFault.FRAME_TOO_LONG, validate(65551, Offloads.ALL));
    }

    @Test
    @Tag("virtio.CSUM")
    void shouldRefuseChecksumThatWasNotNegotiated()
    {
        header(1, 0, 0, 0, 34, 6);
        assertEquals(VnetFault.CHECKSUM_NOT_NEGOTIATED, validate(60, Offloads.NONE));
    }

    @Test
    void shouldRefuseChecksumOutsideTheFrame()
    {
        header(1, 0, 0, 0, 34, 6);
        assertEquals(VnetFault.OK, validate(42, Offloads.CSUM));
        header(1, 0, 0, 0, 34, 6);
        assertEquals(VnetFault.CHECKSUM_OUT_OF_RANGE, validate(41, Offloads.CSUM));
        header(1, 0, 0, 0, 0xFFFF, 0xFFFF);
        assertEquals(VnetFault.CHECKSUM_OUT_OF_RANGE, validate(65550, Offloads.CSUM));
        header(1, 0, 0, 0, 19, 6);
        assertEquals(VnetFault.CHECKSUM_OUT_OF_RANGE, validate(60, Offloads.CSUM));
        header(1, VnetHeader.GSO_TCPV6, 54, 1000, 39, 16);
        assertEquals(VnetFault.CHECKSUM_OUT_OF_RANGE, validate(3000, Offloads.ALL));
    }

    @Test
    void shouldRefuseUnknownGsoTypes()
    {
        for (int type = 1; type < 256; type++)
        {
            final boolean isTcp = (type & 0x7F) == 1 || (type & 0x7F) == 4;
            if (!isTcp && type != VnetHeader.GSO_UDP && type != VnetHeader.GSO_UDP_L4)
            {
                header(1, type, 54, 1000, 34, 16);
                assertEquals(VnetFault.GSO_UNKNOWN, validate(3000, Offloads.ALL), "type " + type);
            }
        }
    }

    @Test
    @Tag("virtio.HOST_TSO4")
    @Tag("virtio.HOST_TSO6")
    @Tag("virtio.HOST_ECN")
    @Tag("virtio.HOST_UFO")
    @Tag("virtio.HOST_USO")
    void shouldRefuseGsoTypesThatWereNotNegotiated()
    {
        final int[] types = { 1, 4, 0x81, 0x84, 3, 5 };
        final int[] bits = { Offloads.TSO4, Offloads.TSO6, Offloads.TSO4 | Offloads.ECN,
            Offloads.TSO6 | Offloads.ECN, Offloads.UFO, Offloads.USO4 };
        for (int t = 0; t < types.length; t++)
        {
            final int offset = types[t] == 3 || types[t] == 5 ? 6 : 16;
            header(1, types[t], 60, 1000, 54, offset);
            assertEquals(VnetFault.OK, validate(3000, Offloads.CSUM | bits[t]));
            header(1, types[t], 60, 1000, 54, offset);
            assertEquals(VnetFault.GSO_NOT_NEGOTIATED, validate(3000, Offloads.ALL & ~bits[t] & ~Offloads.USO6));
        }
        header(1, 0x81, 60, 1000, 34, 16);
        assertEquals(VnetFault.GSO_NOT_NEGOTIATED, validate(3000, Offloads.CSUM | Offloads.TSO4));
        header(1, 0x81, 60, 1000, 34, 16);
        assertEquals(VnetFault.GSO_NOT_NEGOTIATED, validate(3000, Offloads.CSUM | Offloads.ECN));
    }

    @Test
    void shouldRefuseGsoWithoutChecksumExceptUfo()
    {
        header(0, VnetHeader.GSO_TCPV4, 54, 1000, 34, 16);
        assertEquals(VnetFault.GSO_WITHOUT_CHECKSUM, validate(3000, Offloads.ALL));
        header(0, VnetHeader.GSO_UDP_L4, 42, 1000, 34, 6);
        assertEquals(VnetFault.GSO_WITHOUT_CHECKSUM, validate(3000, Offloads.ALL));
        header(0, VnetHeader.GSO_UDP, 42, 1000, 34, 6);
        assertEquals(VnetFault.OK, validate(3000, Offloads.ALL));
        assertEquals(VnetHeader.GSO_UDP, VnetHeader.gsoType(buffer, AT));
        assertEquals(0, VnetHeader.flags(buffer, AT));
    }

    @Test
    void shouldRefuseGsoSizesThatMeanNothing()
    {
        header(1, VnetHeader.GSO_TCPV4, 54, 0, 34, 16);
        assertEquals(VnetFault.GSO_SIZE, validate(3000, Offloads.ALL));
        header(1, VnetHeader.GSO_TCPV4, 54, 0xFFFF, 34, 16);
        assertEquals(VnetFault.GSO_SIZE, validate(3000, Offloads.ALL));
    }

    @Test
    void shouldRefuseGsoWithTheWrongTransport()
    {
        header(1, VnetHeader.GSO_TCPV4, 54, 1000, 34, 6);
        assertEquals(VnetFault.GSO_CHECKSUM_OFFSET, validate(3000, Offloads.ALL));
        header(1, VnetHeader.GSO_UDP_L4, 54, 1000, 34, 16);
        assertEquals(VnetFault.GSO_CHECKSUM_OFFSET, validate(3000, Offloads.ALL));
    }

    @Test
    void shouldRefuseGsoFrameThatEndsInItsHeaders()
    {
        header(1, VnetHeader.GSO_TCPV4, 54, 1, 34, 16);
        assertEquals(VnetFault.GSO_HEADERS, validate(53, Offloads.ALL));
        assertEquals(VnetFault.CHECKSUM_OUT_OF_RANGE, validate(50, Offloads.ALL));
    }

    @Test
    void shouldRefuseMoreDatagramsThanLinuxTakes()
    {
        header(1, VnetHeader.GSO_UDP_L4, 42, 10, 34, 6);
        assertEquals(VnetFault.OK, validate(42 + 1280, Offloads.ALL));
        header(1, VnetHeader.GSO_UDP_L4, 42, 10, 34, 6);
        assertEquals(VnetFault.GSO_SEGMENTS, validate(42 + 1281, Offloads.ALL));
    }

    @Test
    void shouldTakeGsoTypeOffAFrameOfOneSegment()
    {
        header(1, VnetHeader.GSO_TCPV4, 54, 1000, 34, 16);
        assertEquals(VnetFault.OK, validate(1054, Offloads.ALL));
        assertEquals(VnetHeader.GSO_NONE, VnetHeader.gsoType(buffer, AT));
        assertEquals(0, VnetHeader.gsoSize(buffer, AT));
        assertTrue(VnetHeader.needsChecksum(buffer, AT));
        assertEquals(34, VnetHeader.checksumStart(buffer, AT));
    }

    @Test
    void shouldKeepHeaderLengthBetweenChecksumAndEnd()
    {
        header(1, VnetHeader.GSO_TCPV4, 0, 1000, 34, 16);
        assertEquals(VnetFault.OK, validate(3000, Offloads.ALL));
        assertEquals(54, VnetHeader.headerLength(buffer, AT));
        header(1, VnetHeader.GSO_TCPV4, 0xFFFF, 1000, 34, 16);
        assertEquals(VnetFault.OK, validate(3000, Offloads.ALL));
        assertEquals(3000, VnetHeader.headerLength(buffer, AT));
        header(1, VnetHeader.GSO_TCPV4, 66, 1000, 34, 16);
        assertEquals(VnetFault.OK, validate(3000, Offloads.ALL));
        assertEquals(66, VnetHeader.headerLength(buffer, AT));
    }

    @Test
    void shouldLeaveNothingUncheckedInRandomHeaders()
    {
        final Random random = RandomSeed.random(VnetHeaderTest.class);
        for (int n = 0; n < 500_000; n++)
        {
            for (int i = 0; i < 12; i++)
            {
                buffer.putByte(AT + i, (byte)(random.nextInt(4) == 0 ? random.nextInt(256) : random.nextInt(6)));
            }
            final int length = random.nextBoolean() ? random.nextInt(200) : random.nextInt(70_000);
            final int offloads = random.nextInt(128);
            if (VnetFault.OK == validate(length, offloads))
            {
                assertSound(length, offloads);
                final long before = buffer.getLong(AT);
                assertEquals(VnetFault.OK, validate(length, offloads), "valid twice");
                assertEquals(before, buffer.getLong(AT), "unchanged when valid");
            }
        }
    }

    private void assertSound(final int length, final int offloads)
    {
        final boolean partial = VnetHeader.needsChecksum(buffer, AT);
        assertEquals(0, VnetHeader.flags(buffer, AT) & ~VnetHeader.NEEDS_CSUM);
        assertTrue(VnetHeader.headerLength(buffer, AT) <= length);
        if (partial)
        {
            assertTrue((offloads & Offloads.CSUM) != 0);
            assertTrue(VnetHeader.checksumStart(buffer, AT) + VnetHeader.checksumOffset(buffer, AT) + 2 <= length);
        }
        if (VnetHeader.gsoType(buffer, AT) != VnetHeader.GSO_NONE)
        {
            assertTrue(VnetHeader.gsoSize(buffer, AT) > 0 && VnetHeader.gsoSize(buffer, AT) < length);
            assertTrue(partial || VnetHeader.gsoType(buffer, AT) == VnetHeader.GSO_UDP);
        }
    }

    @Test
    void shouldKnowWhatAReceiverTakes()
    {
        header(0, 0, 0, 0, 0, 0);
        assertTrue(VnetHeader.fits(buffer, AT, Offloads.NONE));
        header(1, 0, 0, 0, 34, 6);
        assertFalse(VnetHeader.fits(buffer, AT, Offloads.NONE));
        assertTrue(VnetHeader.fits(buffer, AT, Offloads.CSUM));
        header(1, 0x81, 54, 1000, 34, 16);
        assertFalse(VnetHeader.fits(buffer, AT, Offloads.CSUM | Offloads.TSO4));
        assertTrue(VnetHeader.fits(buffer, AT, Offloads.CSUM | Offloads.TSO4 | Offloads.ECN));
        header(1, 5, 62, 1000, 54, 6);
        buffer.putShort(AT + 12 + 12, (short)EtherHeader.IPV6);
        assertFalse(VnetHeader.fits(buffer, AT, Offloads.ALL & ~Offloads.USO6));
        assertTrue(VnetHeader.fits(buffer, AT, Offloads.CSUM | Offloads.USO6));
        header(1, 0x77, 62, 1000, 54, 6);
        assertFalse(VnetHeader.fits(buffer, AT, Offloads.ALL));
    }

    @Test
    void shouldHaveWordsForEveryFault()
    {
        for (int code = 0; code < VnetFault.COUNT; code++)
        {
            assertFalse(VnetFault.words(code).isEmpty());
        }
    }

    private int validate(final int length, final int offloads)
    {
        return VnetHeader.validate(buffer, AT, length, offloads);
    }

    private void header(
        final int flags, final int type, final int headerLength, final int size, final int start, final int offset)
    {
        VnetHeader.superFrame(buffer, AT, type, size, headerLength, start, offset);
        buffer.putByte(AT, (byte)flags);
    }
}
