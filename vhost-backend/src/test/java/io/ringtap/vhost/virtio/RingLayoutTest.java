package io.ringtap.vhost.virtio;

import org.junit.jupiter.api.Test;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

/** The numbers of the specification, and the formula of its event index. */
class RingLayoutTest
{
    @Test
    void shouldHaveTheSizesOfASplitRing()
    {
        assertEquals(16 * 256, SplitLayout.descriptorsLength(256));
        assertEquals(6 + 2 * 256, SplitLayout.availableLength(256));
        assertEquals(6 + 8 * 256, SplitLayout.usedLength(256));
        assertEquals(16, SplitLayout.DESCRIPTOR_ALIGNMENT);
        assertEquals(2, SplitLayout.AVAILABLE_ALIGNMENT);
        assertEquals(4, SplitLayout.USED_ALIGNMENT);
        assertEquals(16 * 32768, SplitLayout.descriptorsLength(Virtqueue.MAX_SIZE));
    }

    @Test
    void shouldHaveTheOffsetsOfASplitRing()
    {
        assertEquals(0, SplitLayout.FLAGS_OFFSET);
        assertEquals(2, SplitLayout.INDEX_OFFSET);
        assertEquals(4 + 2 * 7, SplitLayout.headOffset(7));
        assertEquals(4 + 8 * 7, SplitLayout.elementOffset(7));
        assertEquals(4 + 2 * 256, SplitLayout.usedEventOffset(256));
        assertEquals(4 + 8 * 256, SplitLayout.availableEventOffset(256));
        assertEquals(0x0000_0102_0000_0005L, SplitLayout.element(5, 0x102));
        assertEquals(0xffff_ffff_0000_ffffL, SplitLayout.element(0xffff, -1));
    }

    @Test
    void shouldTakeADescriptorApart()
    {
        assertEquals(16, DescriptorLayout.LENGTH);
        assertEquals(0, DescriptorLayout.ADDRESS_OFFSET);
        final long rest = 0xabcd_9002_ffff_fffeL;
        assertEquals(0xffff_fffeL, DescriptorLayout.length(rest));
        assertEquals(0x9002, DescriptorLayout.splitFlags(rest));
        assertEquals(0xabcd, DescriptorLayout.splitNext(rest));
        assertEquals(0x9002, DescriptorLayout.packedId(rest));
        assertEquals(0xabcd, DescriptorLayout.packedFlags(rest));
        assertEquals(rest, DescriptorLayout.packedRest(0xffff_fffe, 0x9002, 0xabcd));
        assertEquals(1, DescriptorLayout.NEXT);
        assertEquals(2, DescriptorLayout.WRITE);
        assertEquals(4, DescriptorLayout.INDIRECT);
        assertEquals(0x80, DescriptorLayout.AVAILABLE);
        assertEquals(0x8000, DescriptorLayout.USED);
    }

    @Test
    void shouldHaveTheEventStructureOfAPackedRing()
    {
        assertEquals(4, PackedLayout.EVENT_LENGTH);
        assertEquals(0x0002_8005, PackedLayout.event(5, true, PackedLayout.EVENT_DESCRIPTOR));
        assertEquals(0x0001_0000, PackedLayout.event(0, false, PackedLayout.EVENT_DISABLE));
        assertEquals(5, PackedLayout.index(0xfffe_8005));
        assertTrue(PackedLayout.wrap(0x8000));
        assertFalse(PackedLayout.wrap(0x7fff));
        assertEquals(2, PackedLayout.eventFlags(0xfffe_8005));
    }

    @Test
    void shouldTellWhetherAnIndexPassedAnEvent()
    {
        // event, now, before
        assertTrue(EventIndex.isPassed(0, 1, 0));
        assertFalse(EventIndex.isPassed(1, 1, 0));
        assertFalse(EventIndex.isPassed(0, 0, 0));
        assertTrue(EventIndex.isPassed(4, 8, 0));
        assertTrue(EventIndex.isPassed(7, 8, 0));
        assertFalse(EventIndex.isPassed(8, 8, 0));
        assertFalse(EventIndex.isPassed(65535, 8, 0));
    }

    @Test
    void shouldTellWhetherAnIndexPassedAnEventWhenItWraps()
    {
        assertTrue(EventIndex.isPassed(65535, 0, 65535));
        assertTrue(EventIndex.isPassed(65535, 5, 65530));
        assertTrue(EventIndex.isPassed(3, 5, 65530));
        assertFalse(EventIndex.isPassed(5, 5, 65530));
        assertFalse(EventIndex.isPassed(65529, 5, 65530));
        assertTrue(EventIndex.isPassed(65535, 65536 + 5, 65530));
        // a free-running index counts by its 16 bits
        assertTrue(EventIndex.isPassed(3 - 65536, 5, 65530));
        // the whole range
        assertTrue(EventIndex.isPassed(100, 32768, 0));
    }
}
