package io.ringtap.vhost.guest;

import io.ringtap.sys.Fd;
import io.ringtap.sys.MemFd;
import io.ringtap.sys.Memory;
import io.ringtap.sys.Syscalls;
import org.junit.jupiter.api.Test;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

/** Mapping, overlap, translation and the life of mappings. */
class GuestMemoryTest
{
    private static final long PAGE = 4096;
    private static final long FRONTEND = 0x7f00_0000_0000L;

    @Test
    void shouldTranslateWholeRangesOnly()
    {
        try (GuestMemory memory = GuestMemory.map(List.of(region(0x10000, 4 * PAGE, FRONTEND))))
        {
            final long host = memory.translate(0x10000, 4 * PAGE);
            assertNotEquals(0, host);
            assertEquals(host + 5, memory.translate(0x10005, 1));
            assertEquals(host + 4 * PAGE - 1, memory.translate(0x10000 + 4 * PAGE - 1, 1));
            assertEquals(0, memory.translate(0x10000 + 4 * PAGE - 1, 2));
            assertEquals(0, memory.translate(0xffff, 2));
            assertEquals(0, memory.translate(0x10000 + 4 * PAGE, 1));
            assertEquals(0, memory.translate(0x10000, 4 * PAGE + 1));
        }
    }

    @Test
    void shouldNotTranslateWhatWouldOverflow()
    {
        try (GuestMemory memory = GuestMemory.map(List.of(region(0x10000, 4 * PAGE, FRONTEND))))
        {
            assertEquals(0, memory.translate(0x10001, Long.MAX_VALUE));
            assertEquals(0, memory.translate(0x10001, -1));
            assertEquals(0, memory.translate(-1, 2));
            assertEquals(0, memory.translate(Long.MIN_VALUE, 1));
            assertFalse(memory.contains(0x10001, Long.MAX_VALUE));
            assertFalse(memory.contains(-2, 0x10010));
        }
    }

    @Test
    void shouldTranslateRegionsInTheUpperHalfOfTheAddressSpace()
    {
        final long high = -(16 * PAGE);
        try (GuestMemory memory = GuestMemory.map(List.of(
            region(high, 4 * PAGE, FRONTEND), region(0, PAGE, FRONTEND + 64 * PAGE))))
        {
            assertNotEquals(0, memory.translate(high, 4 * PAGE));
            assertNotEquals(0, memory.translate(0, PAGE));
            assertEquals(0, memory.translate(high - 1, 1));
        }
    }

    @Test
    void shouldFindEachOfAllTheRegionsThatMayBe()
    {
        final List<RegionRequest> requests = new ArrayList<>();
        for (int i = GuestMemory.MAX_REGIONS - 1; i >= 0; i--)
        {
            requests.add(region(0x100000 + i * 2 * PAGE, PAGE, FRONTEND + i * PAGE));
        }
        try (GuestMemory memory = GuestMemory.map(requests))
        {
            assertEquals(GuestMemory.MAX_REGIONS, memory.regionCount());
            for (int i = 0; i < GuestMemory.MAX_REGIONS; i++)
            {
                assertNotEquals(0, memory.translate(0x100000 + i * 2 * PAGE, PAGE));
                assertEquals(0, memory.translate(0x100000 + i * 2 * PAGE + PAGE, 1));
            }
            final RegionRequest oneMore = region(0x8000_0000L, PAGE, 0x8000_0000L);
            final String message = assertThrows(GuestMemoryException.class, () -> memory.plus(oneMore)).getMessage();
            assertEquals("510 memory regions are more than 509", message);
            assertFalse(oneMore.fd().isOpen());
        }
    }

    @Test
    void shouldRefuseRegionsThatShareAddresses()
    {
        assertRefused("overlaps the guest addresses of",
            region(0x10000, 2 * PAGE, FRONTEND), region(0x11000, PAGE, FRONTEND + 16 * PAGE));
        assertRefused("overlaps the front-end addresses of",
            region(0x10000, 2 * PAGE, FRONTEND), region(0x20000, PAGE, FRONTEND + PAGE));
        assertRefused("overlaps the guest addresses of",
            region(0x10000, PAGE, FRONTEND), region(0x10000, PAGE, FRONTEND + PAGE));
    }

    @Test
    void shouldRefuseRegionsThatWrapAround()
    {
        assertRefused("guest address 0xfffffffffffff000 wraps around", region(-PAGE, PAGE, FRONTEND));
        assertRefused("front-end address 0xffffffffffffe000 wraps around", region(0, 4 * PAGE, -2 * PAGE));
        assertRefused("size is not between", region(0, 0, FRONTEND));
        assertRefused("size is not between", region(0, -PAGE, FRONTEND));
        assertRefused("offset 0xffffffffffffffff", new RegionRequest(0, PAGE, 0, -1, memFd(PAGE)));
        assertRefused("offset 0x7fffffffffffffff",
            new RegionRequest(0, PAGE, 0, Long.MAX_VALUE, memFd(PAGE)));
    }

    @Test
    void shouldNameTheRemedyWhenMemoryIsNotSharedOrTooShort()
    {
        assertRefused("share=on", new RegionRequest(0, PAGE, 0, 0, null));
        assertRefused("needs 0x2000 bytes from offset 0x0 of a file of 0x1000 bytes; give the VM",
            new RegionRequest(0, 2 * PAGE, 0, 0, memFd(PAGE)));
        assertRefused("needs 0x1000 bytes from offset 0x1000 of a file of 0x1000 bytes; give the VM",
            new RegionRequest(0, PAGE, 0, PAGE, memFd(PAGE)));
    }

    @Test
    void shouldCloseEveryDescriptorAlsoWhenOneRegionIsRefused()
    {
        final RegionRequest good = region(0x10000, PAGE, FRONTEND);
        final RegionRequest bad = region(0x10000, 0, FRONTEND);
        final RegionRequest never = region(0x20000, PAGE, FRONTEND + PAGE);
        final int mappings = mappings();
        assertThrows(GuestMemoryException.class, () -> GuestMemory.map(List.of(good, bad, never)));
        assertFalse(good.fd().isOpen());
        assertFalse(bad.fd().isOpen());
        assertFalse(never.fd().isOpen());
        assertEquals(mappings, mappings());
    }

    @Test
    void shouldMapFromAnOffsetThatIsNoPageBoundary()
    {
        final Fd fd = memFd(4 * PAGE);
        try (GuestMemory writer = GuestMemory.map(List.of(new RegionRequest(0, 4 * PAGE, 0, 0, duplicate(fd))));
            GuestMemory memory = GuestMemory.map(List.of(new RegionRequest(0, PAGE, 0, PAGE + 256, fd))))
        {
            Memory.putLong(writer.translate(PAGE + 256, 8), 42);
            assertEquals(42, Memory.getLong(memory.translate(0, 8)));
        }
    }

    @Test
    void shouldKeepAMappingAsLongAsASnapshotHoldsIt()
    {
        final int before = mappings();
        final GuestMemory one = GuestMemory.map(List.of(region(0x10000, PAGE, FRONTEND)));
        final GuestMemory two = one.plus(region(0x20000, PAGE, FRONTEND + PAGE));
        assertEquals(before + 2, mappings());
        assertEquals(one.translate(0x10000, PAGE), two.translate(0x10000, PAGE));
        assertEquals(0, one.translate(0x20000, PAGE));
        final GuestMemory three = two.minus(new RegionRequest(0x10000, PAGE, FRONTEND, 77, null));
        assertEquals(1, three.regionCount());
        one.close();
        one.close();
        assertEquals(before + 2, mappings());
        two.close();
        assertEquals(before + 1, mappings());
        Memory.putLong(three.translate(0x20000, 8), 1);
        three.close();
        assertEquals(before, mappings());
    }

    @Test
    void shouldLeaveTheSnapshotAloneWhenAChangeIsRefused()
    {
        final int before = mappings();
        final GuestMemory memory = GuestMemory.map(List.of(region(0x10000, PAGE, FRONTEND)));
        assertThrows(GuestMemoryException.class, () -> memory.plus(region(0x10000, PAGE, 0)));
        final Fd stray = memFd(PAGE);
        assertThrows(GuestMemoryException.class,
            () -> memory.minus(new RegionRequest(0x10000, 2 * PAGE, FRONTEND, 0, stray)));
        assertFalse(stray.isOpen());
        assertNotEquals(0, memory.translate(0x10000, PAGE));
        assertEquals(before + 1, mappings());
        memory.close();
        assertEquals(before, mappings());
    }

    @Test
    void shouldViewAlignedRangesOfOneRegionOnly()
    {
        try (GuestMemory memory = GuestMemory.map(List.of(
            region(0x10000, PAGE, FRONTEND), region(0x11000, PAGE, FRONTEND + PAGE))))
        {
            final GuestWindow window = new GuestWindow();
            assertTrue(memory.ringView(FRONTEND + 16, 64, 16, window));
            assertEquals(64, window.length());
            assertFalse(memory.ringView(FRONTEND + 8, 64, 16, window));
            assertFalse(memory.ringView(FRONTEND + PAGE - 32, 64, 16, window));
            assertFalse(memory.ringView(0x10000, 64, 16, window));
            assertTrue(memory.addressedView(0x10010, 64, 16, window));
            assertFalse(memory.addressedView(FRONTEND, 64, 16, window));
            assertTrue(memory.contains(0x10000, 2 * PAGE));
            assertFalse(memory.contains(0x10000, 2 * PAGE + 1));
            assertThrows(IndexOutOfBoundsException.class, () -> window.getLong(57));
            assertThrows(IndexOutOfBoundsException.class, () -> window.getShort(-1));
        }
    }

    private static void assertRefused(final String part, final RegionRequest... requests)
    {
        final String message =
            assertThrows(GuestMemoryException.class, () -> GuestMemory.map(List.of(requests))).getMessage();
        assertTrue(message.contains(part), message);
    }

    private static RegionRequest region(final long guestAddress, final long size, final long frontendAddress)
    {
        return new RegionRequest(guestAddress, size, frontendAddress, 0, memFd(Math.max(size, PAGE)));
    }

    private static Fd memFd(final long size)
    {
        return MemFd.create("guest-memory-test", size);
    }

    private static Fd duplicate(final Fd fd)
    {
        return Syscalls.dup(fd.number());
    }

    private static int mappings()
    {
        try
        {
            return (int)Files.readAllLines(Path.of("/proc/self/maps")).stream()
                .filter(line -> line.contains("guest-memory-test")).count();
        }
        catch (final IOException ex)
        {
            throw new IllegalStateException(ex);
        }
    }
}
