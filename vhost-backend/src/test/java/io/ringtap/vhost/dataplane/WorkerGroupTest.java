package io.ringtap.vhost.dataplane;

import org.agrona.concurrent.AgentTerminationException;
import org.junit.jupiter.api.Test;

import java.util.concurrent.atomic.AtomicInteger;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

/** A thread of several workers that ends: each of them is told of. */
class WorkerGroupTest
{
    @Test
    void shouldTellOfItsMembersWhenItsThreadEndedByItself()
    {
        try (WorkerFixture fixture = new WorkerFixture(WorkerFixture.OFFLOADS))
        {
            final WorkerGroup group = new WorkerGroup(0, -1, 0);
            final AtomicInteger told = new AtomicInteger();
            final Thread adder = new Thread(() -> group.add(fixture.worker, "nic", told::incrementAndGet));
            adder.start();
            while (adder.isAlive())
            {
                group.doWork();
            }
            group.onClose();
            assertEquals(0, told.get());
            group.died();
            assertEquals(1, told.get());
        }
    }

    @Test
    void shouldGiveUpWhenItCanNeverWait()
    {
        final WorkerHealth health = new WorkerHealth("one that waits");
        final RuntimeException refused = new IllegalStateException("the kernel refuses");
        for (int i = 1; i < 3 * WorkerHealth.MOST_FAILURES; i++)
        {
            if (0 == i % (WorkerHealth.MOST_FAILURES - 1))
            {
                health.waited();
            }
            health.waitFailed(refused);
        }
        health.waited();
        for (int i = 1; i < WorkerHealth.MOST_FAILURES; i++)
        {
            health.waitFailed(refused);
        }
        assertThrows(AgentTerminationException.class, () -> health.waitFailed(refused));
    }
}
