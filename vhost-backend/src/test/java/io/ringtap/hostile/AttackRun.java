package io.ringtap.hostile;

import io.ringtap.vhost.dataplane.QueuePairWorker;
import io.ringtap.vhost.dataplane.WorkerCounter;
import io.ringtap.vhost.virtio.RingCounter;

import static io.ringtap.hostile.HostileBed.await;
import static io.ringtap.hostile.HostileDriver.OTHER_RECEIVE;
import static io.ringtap.hostile.HostileDriver.OTHER_SEND;
import static io.ringtap.hostile.HostileDriver.RECEIVE;
import static io.ringtap.hostile.HostileDriver.SEND;
import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotEquals;

/** One attack in a session of its own, held against its verdict. */
final class AttackRun
{
    private static final int FRAME = 100;
    private static final int STIRRED = 3;

    private final HostileBed bed;
    private final HostileSetting setting;
    private final Attack attack;
    private final Flows flows;
    private long[] before;
    private HostileDriver driver;

    AttackRun(final HostileBed bed, final HostileSetting setting, final Attack attack, final Flows flows)
    {
        this.bed = bed;
        this.setting = setting;
        this.attack = attack;
        this.flows = flows;
    }

    void run()
    {
        try (HostileDriver hostile = new HostileDriver(attack.frontend(setting, bed.path(HostileBed.ATTACKED))))
        {
            driver = hostile;
            // Once its session is there, nothing of the one before is under way.
            before = counters();
            final long sentBefore = bed.sent(HostileBed.ATTACKED, 0);
            hostile.write(WireFrames.udp(0, 1000, 7, WireFrames.LENGTH));
            attack.action().accept(hostile);
            switch (attack.verdict().cost())
            {
                case NOTHING -> checkPasses(sentBefore);
                case UNSEEN -> checkUnseen(sentBefore);
                case FRAME -> checkFrame(sentBefore);
                case RECEIVED_FRAME -> checkReceived();
                case RING -> checkRing();
                default -> stir();
            }
            if (Verdict.Cost.ITSELF != attack.verdict().cost())
            {
                checkCounters();
                hostile.checkMemory();
            }
            checkOtherPair();
            bed.checkNeighbour();
        }
    }

    private void checkPasses(final long sentBefore)
    {
        if (SEND == attack.ring())
        {
            await(() -> sentBefore < bed.sent(HostileBed.ATTACKED, 0), "an allowed frame was not sent");
            await(() -> RawRing.NONE != driver.ring(SEND).poll(), "its chain does not come back");
            assertEquals(0, driver.ring(SEND).usedLength());
            if (setting.isRecorded)
            {
                final byte[] sent = RecordingHook.last();
                final byte[] expected = new byte[sent.length];
                driver.memory().getBytes((int)(driver.frameAddress() - driver.start()), expected);
                assertArrayEquals(expected, sent, "what was sent is not what lay there");
            }
            checkSends();
        }
        else
        {
            final byte[] frame = bed.frameTo(HostileBed.ATTACKED, flows.first(), FRAME);
            bed.source().send(frame);
            await(() -> driver.hasReceived(frame), "a frame does not arrive in odd buffers");
        }
    }

    /** A frame towards the guest has the worker look at both rings. */
    private void checkUnseen(final long sentBefore)
    {
        driver.lend(RECEIVE);
        receive(RECEIVE);
        assertEquals(sentBefore, bed.sent(HostileBed.ATTACKED, 0));
        assertFalse(driver.hasError(attack.ring()));
    }

    private void checkFrame(final long sentBefore)
    {
        if (SEND == attack.ring())
        {
            await(() -> RawRing.NONE != driver.ring(SEND).poll(), "the chain does not come back");
            assertEquals(0, driver.ring(SEND).usedLength(), "length of what came back");
            assertEquals(sentBefore, bed.sent(HostileBed.ATTACKED, 0), "a frame that is none was sent");
            checkSends();
        }
        else
        {
            driver.lend(RECEIVE);
            receive(RECEIVE);
            assertNotEquals(RawRing.NONE, driver.ring(RECEIVE).poll(), "the chain does not come back");
            assertEquals(0, driver.ring(RECEIVE).usedLength(), "length of what came back");
        }
        assertFalse(driver.hasError(attack.ring()), "a frame cost a ring");
    }

    private void checkReceived()
    {
        bed.source().send(bed.frameTo(HostileBed.ATTACKED, flows.first(), FRAME));
        await(() -> before[index(attack.verdict().workerCounter())] <
            counters()[index(attack.verdict().workerCounter())], "the frame is not counted as lost");
        assertFalse(driver.hasError(RECEIVE), "a frame cost a ring");
        driver.sendGood(SEND);
        await(() -> RawRing.NONE != driver.ring(SEND).poll(), "the other ring of the pair stands still");
    }

    private void checkRing()
    {
        if (RECEIVE == attack.ring())
        {
            bed.source().send(bed.frameTo(HostileBed.ATTACKED, flows.first(), FRAME));
        }
        await(() -> driver.hasError(attack.ring()), "the error descriptor does not tell");
        final int other = RECEIVE == attack.ring() ? SEND : RECEIVE;
        assertFalse(driver.hasError(other), "the other ring of the pair was stopped too");
        if (SEND == other)
        {
            checkSends();
        }
        else
        {
            driver.lend(RECEIVE);
            receive(RECEIVE);
        }
    }

    /** A good frame leaves, and its chain comes back. */
    private void checkSends()
    {
        final long now = bed.sent(HostileBed.ATTACKED, 0);
        driver.sendGood(SEND);
        await(() -> RawRing.NONE != driver.ring(SEND).poll(), "the ring does not go on");
        await(() -> now < bed.sent(HostileBed.ATTACKED, 0), "a good frame was not sent");
    }

    /** A good frame arrives in the buffer that was lent last; chains before it come back with 0. */
    private void receive(final int ring)
    {
        final byte[] frame = bed.frameTo(
            HostileBed.ATTACKED, RECEIVE == ring ? flows.first() : flows.second(), FRAME);
        bed.source().send(frame);
        await(() -> driver.holds(ring, frame), "a good frame does not arrive");
    }

    /** Whatever comes of it, the worker had its turn. */
    private void stir()
    {
        driver.kick(RECEIVE);
        driver.kick(SEND);
        if (RECEIVE == attack.ring())
        {
            for (int i = 0; i < STIRRED; i++)
            {
                bed.source().send(bed.frameTo(HostileBed.ATTACKED, flows.first(), FRAME));
            }
            await(() -> dealtWith(before) < dealtWith(counters()), "the frames for the ring stay where they are");
        }
    }

    /** Frames for the guest that went one way or another. */
    private static long dealtWith(final long[] sums)
    {
        return sums[index(WorkerCounter.HOST_FRAMES)] + sums[index(WorkerCounter.RECEIVE_STARVED)] +
            sums[index(WorkerCounter.DROP_CHAIN)] + sums[index(WorkerCounter.DROP_STOPPED)] +
            sums[index(WorkerCounter.DROP_TOO_BIG)];
    }

    private void checkOtherPair()
    {
        final long now = bed.sent(HostileBed.ATTACKED, 1);
        driver.sendGood(OTHER_SEND);
        await(() -> now < bed.sent(HostileBed.ATTACKED, 1), "the other pair cannot send");
        if (Verdict.Cost.RING != attack.verdict().cost() && Verdict.Cost.ITSELF != attack.verdict().cost())
        {
            driver.lend(OTHER_RECEIVE);
            receive(OTHER_RECEIVE);
        }
        assertFalse(driver.hasError(OTHER_SEND) || driver.hasError(OTHER_RECEIVE), "the other pair was stopped");
    }

    /** The counter of the verdict moved by one, and no other that tells of a fault. */
    private void checkCounters()
    {
        final long[] now = counters();
        for (final RingCounter counter : RingCounter.values())
        {
            if (counter.ordinal() > RingCounter.BUFFER_STRADDLES.ordinal())
            {
                assertEquals(counter == attack.verdict().ringCounter() ? 1 : 0,
                    now[counter.ordinal()] - before[counter.ordinal()], counter.label());
            }
        }
        for (final WorkerCounter counter : WorkerCounter.values())
        {
            if (counter.label().startsWith("drop-") && WorkerCounter.DROP_STOPPED != counter)
            {
                assertEquals(counter == attack.verdict().workerCounter() ? 1 : 0,
                    now[index(counter)] - before[index(counter)], counter.label());
            }
        }
    }

    private static int index(final WorkerCounter counter)
    {
        return RingCounter.values().length + counter.ordinal();
    }

    private long[] counters()
    {
        final int ringCounters = RingCounter.values().length;
        final long[] sums = new long[ringCounters + WorkerCounter.values().length];
        for (final QueuePairWorker worker : bed.attacked().workers())
        {
            for (final RingCounter counter : RingCounter.values())
            {
                sums[counter.ordinal()] +=
                    worker.ringCounters().get(0).get(counter) + worker.ringCounters().get(1).get(counter);
            }
            for (final WorkerCounter counter : WorkerCounter.values())
            {
                sums[index(counter)] += worker.counters().get(counter);
            }
        }
        return sums;
    }
}
