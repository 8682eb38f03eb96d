package io.ringtap.sys;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import org.agrona.concurrent.UnsafeBuffer;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** Requests against the loopback interface, read only. */
class InterfacesTest
{
    private final Interfaces interfaces = Interfaces.open();

    @AfterEach
    void close()
    {
        interfaces.close();
    }

    @Test
    void shouldReadTheLoopbackInterface()
    {
        assertTrue(interfaces.exists("lo"));
        assertEquals("lo", interfaces.nameOf(interfaces.index("lo")));
        assertTrue(interfaces.mtu("lo") >= 1500);
        assertTrue(interfaces.txQueueLength("lo") >= 0);
        assertTrue((interfaces.flags("lo") & If.IFF_LOOPBACK) != 0);
        assertArrayEquals(new byte[6], interfaces.mac("lo"));
    }

    @Test
    void shouldTellWhatDoesNotExist()
    {
        assertFalse(interfaces.exists("rt-nowhere"));
        assertEquals("ioctl SIOCGIFMTU(rt-nowhere): ENODEV (No such device)", assertThrows(
            SyscallException.class, () -> interfaces.mtu("rt-nowhere")).getMessage());
    }

    @Test
    void shouldRefuseNamesTheKernelWouldCutShort()
    {
        assertThrows(IllegalArgumentException.class, () -> interfaces.exists("sixteen-letters!"));
        assertThrows(IllegalArgumentException.class, () -> interfaces.exists(""));
    }

    @Test
    void shouldWriteAndReadNamesInStructures()
    {
        final UnsafeBuffer structure = new UnsafeBuffer(new byte[40]);
        Interfaces.putName(structure, 4, "fifteen-letters");
        assertEquals("fifteen-letters", Interfaces.nameAt(structure, 4));
        Interfaces.putName(structure, 4, "tap0");
        assertEquals("tap0", Interfaces.nameAt(structure, 4));
    }
}
