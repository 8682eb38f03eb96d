package io.ringtap.hostile;

import io.ringtap.sys.SyscallException;
import org.junit.jupiter.api.Test;

import static org.junit.jupiter.api.Assertions.assertThrows;

/** Memory that its owner would truncate after it was mapped, which would make every access a SIGBUS. */
class TruncatedMemoryTest
{
    @Test
    void shouldSealMemoryThatCanBeSealed()
    {
        try (HostileBed bed = new HostileBed(HostileSetting.SPLIT);
            LooseGuest guest = new LooseGuest(bed.path(HostileBed.ATTACKED), LooseGuest.FEATURES, false))
        {
            assertThrows(SyscallException.class, () -> guest.truncate(0));
            bed.checkNeighbour();
        }
    }
}
