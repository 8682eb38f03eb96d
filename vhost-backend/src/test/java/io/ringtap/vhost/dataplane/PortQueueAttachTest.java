package io.ringtap.vhost.dataplane;

import io.ringtap.flow.CoalesceRule;
import io.ringtap.flow.Offloads;
import io.ringtap.frag.FragAllocator;
import io.ringtap.frag.FragStrategy;
import io.ringtap.frag.PageArena;
import io.ringtap.xdp.HookChain;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

/** When a port's queue takes part: the host must not steer flows to one that no guest serves. */
class PortQueueAttachTest
{
    private final PageArena arena = new PageArena(64);
    private final FragAllocator fragments = FragStrategy.SHARED.create(arena);
    private final FakePort port = new FakePort(fragments, Offloads.ALL);
    private QueuePairWorker worker;

    @AfterEach
    void close()
    {
        worker.onClose();
        arena.close();
    }

    @Test
    void shouldTakePartWithTheFirstQueueAlways()
    {
        start(0);
        assertTrue(port.isAttached);
        worker.drop();
        assertTrue(port.isAttached);
    }

    @Test
    void shouldTakePartWithAnotherQueueOnlyWhileItIsEnabled()
    {
        port.isAttached = true;
        start(1);
        assertFalse(port.isAttached);

        worker.receiveRing().enable(true);
        worker.followEnable();
        assertTrue(port.isAttached);

        worker.drop();
        assertFalse(port.isAttached);
    }

    private void start(final int pair)
    {
        worker = new QueuePairWorker(pair, new WorkerSetup(
            port, arena, fragments, new HookChain(), new HookChain(), true, CoalesceRule.EXACT, 0, -1));
        worker.onStart();
    }
}
