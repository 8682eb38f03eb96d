package io.ringtap.sys;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;

import org.junit.jupiter.api.Test;

/** Only the calling thread is pinned. */
class AffinityTest
{
    @Test
    void shouldPinTheCallingThreadAlone() throws Exception
    {
        final int[] mine = Affinity.current();
        final int last = mine[mine.length - 1];
        final CompletableFuture<int[]> pinned = new CompletableFuture<>();
        new Thread(() ->
        {
            Affinity.pin(last);
            pinned.complete(Affinity.current());
        }).start();
        assertArrayEquals(new int[]{last}, pinned.get(10, TimeUnit.SECONDS));
        assertArrayEquals(mine, Affinity.current());
    }

    @Test
    void shouldRefuseProcessorsThatDoNotExist()
    {
        assertThrows(SyscallException.class, () -> Affinity.pin(1023));
        assertThrows(IllegalArgumentException.class, () -> Affinity.pin(1024));
        assertThrows(IllegalArgumentException.class, () -> Affinity.pin(-1));
    }
}
