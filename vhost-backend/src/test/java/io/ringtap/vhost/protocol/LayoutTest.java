package io.ringtap.vhost.protocol;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.nio.ByteBuffer;
import java.nio.ByteOrder;

import org.agrona.concurrent.UnsafeBuffer;
import org.junit.jupiter.api.Test;

/** Pins every layout to the numbers of the document; bytes are written by hand and read back through a flyweight. */
class LayoutTest
{
    private static final int AT = 12;

    private final ByteBuffer bytes = ByteBuffer.allocate(1024).order(ByteOrder.LITTLE_ENDIAN);
    private final UnsafeBuffer buffer = new UnsafeBuffer(bytes);

    @Test
    void shouldReadTheHeader()
    {
        bytes.putInt(0, 11).putInt(4, 0x9).putInt(8, 0xFFFF_FFFF);
        final MessageHeaderFlyweight header = new MessageHeaderFlyweight().wrap(buffer, 0);

        assertEquals(12, MessageHeaderFlyweight.LENGTH);
        assertEquals(11, header.request());
        assertEquals(1, header.version());
        assertTrue(header.needsReply());
        assertFalse(header.isReply());
        assertEquals(0xFFFF_FFFFL, header.size());
        assertEquals(5, MessageHeaderFlyweight.REPLY_FLAGS);
    }

    @Test
    void shouldWriteTheHeader()
    {
        new MessageHeaderFlyweight().wrap(buffer, 0).request(0x01020304).flags(0x5).size(0x0A0B0C0D);

        assertBytes(0, 4, 3, 2, 1, 5, 0, 0, 0, 0xD, 0xC, 0xB, 0xA);
    }

    @Test
    void shouldLayOutAValue()
    {
        new U64Flyweight().wrap(buffer, AT).value(0x0102030405060708L);

        assertEquals(8, U64Flyweight.LENGTH);
        assertBytes(AT, 8, 7, 6, 5, 4, 3, 2, 1);
        assertEquals(0x0102030405060708L, new U64Flyweight().wrap(buffer, AT).value());
    }

    @Test
    void shouldLayOutAVringState()
    {
        new VringStateFlyweight().wrap(buffer, AT).index(3).num(0x80008000);

        assertEquals(8, VringStateFlyweight.LENGTH);
        assertBytes(AT, 3, 0, 0, 0, 0, 0x80, 0, 0x80);
        assertEquals(3, new VringStateFlyweight().wrap(buffer, AT).index());
        assertEquals(0x80008000, new VringStateFlyweight().wrap(buffer, AT).num());
    }

    @Test
    void shouldReadIndexesAsUnsigned()
    {
        bytes.putInt(AT, -1);

        assertEquals(0xFFFF_FFFFL, new VringStateFlyweight().wrap(buffer, AT).index());
        assertEquals(0xFFFF_FFFFL, new VringAddressFlyweight().wrap(buffer, AT).index());
        assertEquals(0xFFFF_FFFFL, new MemoryRegionsFlyweight().wrap(buffer, AT).count());
        assertEquals(0xFFFF_FFFFL, new ConfigFlyweight().wrap(buffer, AT).configOffset());
    }

    @Test
    void shouldTakeTheRingFromTheLowByteAndTheFlagFromBit8()
    {
        final VringDescriptorFlyweight payload = new VringDescriptorFlyweight().wrap(buffer, AT);
        bytes.putLong(AT, 0xABCD_EF00_0000_01FFL);
        assertEquals(255, payload.index());
        assertFalse(payload.hasDescriptor());

        payload.value(2, true);
        assertBytes(AT, 2, 0, 0, 0, 0, 0, 0, 0);
        assertTrue(payload.hasDescriptor());
        payload.value(2, false);
        assertBytes(AT, 2, 1, 0, 0, 0, 0, 0, 0);
    }

    @Test
    void shouldReadRingAddresses()
    {
        bytes.putInt(AT, 1).putInt(AT + 4, 1)
            .putLong(AT + 8, 0xD).putLong(AT + 16, 0xE).putLong(AT + 24, 0xA).putLong(AT + 32, 0x10);
        final VringAddressFlyweight address = new VringAddressFlyweight().wrap(buffer, AT);

        assertEquals(40, VringAddressFlyweight.LENGTH);
        assertEquals(1, address.index());
        assertEquals(VringAddressFlyweight.FLAG_LOG, address.flags());
        assertEquals(0xD, address.descriptorAddress());
        assertEquals(0xE, address.usedAddress());
        assertEquals(0xA, address.availableAddress());
        assertEquals(0x10, address.logGuestAddress());
    }

    @Test
    void shouldWriteRingAddressesAsItReadsThem()
    {
        new VringAddressFlyweight().wrap(buffer, AT)
            .index(1).flags(1).descriptorAddress(2).usedAddress(3).availableAddress(4).logGuestAddress(5);

        assertEquals(2, bytes.getLong(AT + 8));
        assertEquals(3, bytes.getLong(AT + 16));
        assertEquals(4, bytes.getLong(AT + 24));
        assertEquals(5, bytes.getLong(AT + 32));
    }

    @Test
    void shouldReadTheMemoryTable()
    {
        bytes.putInt(AT, 2).putLong(AT + 40, 5).putLong(AT + 48, 6).putLong(AT + 56, 7).putLong(AT + 64, 8);
        final MemoryRegionsFlyweight table = new MemoryRegionsFlyweight().wrap(buffer, AT);

        assertEquals(32, MemoryRegionLayout.LENGTH);
        assertEquals(8, MemoryRegionsFlyweight.HEADER_LENGTH);
        assertEquals(264, MemoryRegionsFlyweight.MAX_LENGTH);
        assertEquals(2, table.count());
        assertEquals(5, table.guestAddress(1));
        assertEquals(6, table.size(1));
        assertEquals(7, table.frontendAddress(1));
        assertEquals(8, table.mmapOffset(1));
    }

    @Test
    void shouldAcceptTheRegionsInUseOrAllSlots()
    {
        final MemoryRegionsFlyweight table = new MemoryRegionsFlyweight().wrap(buffer, AT).count(2);
        assertTrue(table.isValid(72));
        assertTrue(table.isValid(264));
        assertFalse(table.isValid(40));
        assertFalse(table.isValid(73));
        assertFalse(table.isValid(104));

        assertTrue(table.count(8).isValid(264));
        assertTrue(table.count(0).isValid(8));
        assertFalse(table.count(9).isValid(264));
        assertFalse(table.count(-1).isValid(264));
    }

    @Test
    void shouldLayOutASingleRegion()
    {
        new MemoryRegionFlyweight().wrap(buffer, AT).region(1, 2, 3, 4);

        assertEquals(40, MemoryRegionFlyweight.LENGTH);
        assertEquals(0, bytes.getLong(AT));
        assertEquals(1, bytes.getLong(AT + 8));
        assertEquals(2, bytes.getLong(AT + 16));
        assertEquals(3, bytes.getLong(AT + 24));
        assertEquals(4, bytes.getLong(AT + 32));
        final MemoryRegionFlyweight region = new MemoryRegionFlyweight().wrap(buffer, AT);
        assertEquals(1, region.guestAddress());
        assertEquals(2, region.size());
        assertEquals(3, region.frontendAddress());
        assertEquals(4, region.mmapOffset());
    }

    @Test
    void shouldLayOutTheTableAsItReadsIt()
    {
        new MemoryRegionsFlyweight().wrap(buffer, AT).count(1).region(0, 1, 2, 3, 4);

        assertEquals(1, bytes.getLong(AT));
        assertEquals(1, bytes.getLong(AT + 8));
        assertEquals(4, bytes.getLong(AT + 32));
    }

    @Test
    void shouldLayOutTheLog()
    {
        final LogFlyweight log = new LogFlyweight().wrap(buffer, AT).size(0x4000).mmapOffset(0x10);

        assertEquals(16, LogFlyweight.LENGTH);
        assertEquals(0x4000, bytes.getLong(AT));
        assertEquals(0x10, bytes.getLong(AT + 8));
        assertEquals(0x4000, log.size());
        assertEquals(0x10, log.mmapOffset());
    }

    @Test
    void shouldLayOutTheIotlb()
    {
        final IotlbFlyweight iotlb = new IotlbFlyweight().wrap(buffer, AT).set(1, 2, 3, 3, 2);

        assertEquals(32, IotlbFlyweight.LENGTH);
        assertEquals(1, bytes.getLong(AT));
        assertEquals(2, bytes.getLong(AT + 8));
        assertEquals(3, bytes.getLong(AT + 16));
        assertBytes(AT + 24, 3, 2, 0, 0, 0, 0, 0, 0);
        assertEquals(1, iotlb.iova());
        assertEquals(2, iotlb.size());
        assertEquals(3, iotlb.frontendAddress());
        assertEquals(IotlbFlyweight.PERMISSION_READ | IotlbFlyweight.PERMISSION_WRITE, iotlb.permission());
        assertEquals(IotlbFlyweight.TYPE_UPDATE, iotlb.type());
    }

    @Test
    void shouldLayOutConfig()
    {
        final ConfigFlyweight config = new ConfigFlyweight().wrap(buffer, AT).configOffset(6).size(2).flags(1);

        assertEquals(12, ConfigFlyweight.HEADER_LENGTH);
        assertBytes(AT, 6, 0, 0, 0, 2, 0, 0, 0, 1, 0, 0, 0);
        assertEquals(6, config.configOffset());
        assertEquals(2, config.size());
        assertEquals(ConfigFlyweight.FLAG_MIGRATION, config.flags());
        assertEquals(AT + 12, config.bytesOffset());
    }

    @Test
    void shouldLayOutInflight()
    {
        final InflightFlyweight inflight = new InflightFlyweight().wrap(buffer, AT)
            .mmapSize(0x2000).mmapOffset(0x1000).queueCount(4).queueSize(0x8000);

        assertEquals(20, InflightFlyweight.LENGTH);
        assertEquals(24, InflightFlyweight.PADDED_LENGTH);
        assertEquals(0x2000, bytes.getLong(AT));
        assertEquals(0x1000, bytes.getLong(AT + 8));
        assertBytes(AT + 16, 4, 0, 0, 0x80);
        assertEquals(0x2000, inflight.mmapSize());
        assertEquals(0x1000, inflight.mmapOffset());
        assertEquals(4, inflight.queueCount());
        assertEquals(0x8000, inflight.queueSize());
    }

    @Test
    void shouldLayOutDeviceState()
    {
        final DeviceStateFlyweight state = new DeviceStateFlyweight().wrap(buffer, AT).direction(1).phase(7);

        assertEquals(8, DeviceStateFlyweight.LENGTH);
        assertBytes(AT, 1, 0, 0, 0, 7, 0, 0, 0);
        assertEquals(DeviceStateFlyweight.DIRECTION_LOAD, state.direction());
        assertEquals(7, state.phase());
    }

    private void assertBytes(final int from, final int... expected)
    {
        for (int i = 0; i < expected.length; i++)
        {
            assertEquals((byte)expected[i], bytes.get(from + i), "byte " + i);
        }
    }
}
