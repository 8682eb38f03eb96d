package io.ringtap.vhost.dataplane;

import org.agrona.concurrent.AgentTerminationException;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

/** Whatever a cycle throws, its pair's rings stop and nothing is lost; a worker that cannot go on gives up. */
class WorkerFaultTest
{
    @ParameterizedTest
    @ValueSource(classes = {IllegalStateException.class, OutOfMemoryError.class,
        StackOverflowError.class, NoClassDefFoundError.class, AssertionError.class})
    void shouldStopItsRingsWhateverIsThrown(final Class<? extends Throwable> kind) throws Exception
    {
        try (WorkerFixture fixture = new WorkerFixture(WorkerFixture.OFFLOADS))
        {
            final Throwable fault = kind.getDeclaredConstructor().newInstance();
            fixture.send(new byte[100]);
            fixture.port.fault = fault;
            fixture.worker.doWork();
            fixture.port.fault = null;
            assertEquals(1, fixture.count(WorkerCounter.FAILED));
            assertFalse(fixture.worker.receiveRing().isStarted());
            assertFalse(fixture.worker.transmitRing().isStarted());
            fixture.work();
            assertEquals(1, fixture.count(WorkerCounter.FAILED), "it rests");
        }
    }

    @Test
    void shouldNotAnswerForMemoryOfOthers()
    {
        try (WorkerFixture fixture = new WorkerFixture(WorkerFixture.OFFLOADS))
        {
            fixture.send(new byte[100]);
            fixture.port.fault = new InternalError("late");
            assertThrows(InternalError.class, fixture.worker::doWork);
            fixture.port.fault = null;
            fixture.work();
            assertEquals(0, fixture.count(WorkerCounter.FAILED));
            assertEquals(1, fixture.port.sent.size());
        }
    }

    @Test
    void shouldGiveUpWhenEveryCycleFails()
    {
        try (WorkerFixture fixture = new WorkerFixture(WorkerFixture.OFFLOADS))
        {
            fixture.port.isHolding = true;
            fixture.port.fault = new IllegalStateException("the port is broken");
            for (int i = 1; i < WorkerHealth.MOST_FAILURES; i++)
            {
                fixture.worker.doWork();
            }
            final AgentTerminationException end =
                assertThrows(AgentTerminationException.class, fixture.worker::doWork);
            assertTrue(end.getMessage().contains("the port is broken"), end.getMessage());
            fixture.port.fault = null;
        }
    }

    @Test
    void shouldGoOnWhenFailuresAreFewAndFarBetween()
    {
        try (WorkerFixture fixture = new WorkerFixture(WorkerFixture.OFFLOADS))
        {
            fixture.port.isHolding = true;
            for (int i = 0; i < 4 * WorkerHealth.MOST_FAILURES; i++)
            {
                fixture.port.fault = 0 == i % 4 ? null : new IllegalStateException("now and then");
                fixture.worker.doWork();
            }
            fixture.port.fault = null;
            assertEquals(3 * WorkerHealth.MOST_FAILURES, fixture.count(WorkerCounter.FAILED));
        }
    }
}
