package io.ringtap.port;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import org.junit.jupiter.api.Test;

/** Nothing is allocated on the Java heap for a frame, sent or received. */
class PortAllocationTest extends TapFixture
{
    private static final int ROUNDS = 3_000;
    private static final int FRAMES = 8;

    @Override
    PortIo io()
    {
        return PortIo.AUTO;
    }

    @Test
    void shouldNotAllocateWithASystemCallAFrame()
    {
        measure(PortIo.SYSCALL);
    }

    @Test
    void shouldNotAllocateWithASubmissionABatch()
    {
        measure(PortIo.URING);
    }

    /** Two ports on one bridge: what one sends the other receives. */
    private void measure(final PortIo io)
    {
        open(options().io(io));
        NetNamespace.run("ip", "link", "add", "rtbr", "type", "bridge", "mcast_snooping", "0");
        final PortRig other = PortRig.tap(options().io(io).name("rt1").bridge("rtbr"));
        try
        {
            other.port.carrier(true);
            NetNamespace.run("ip", "link", "set", NAME, "master", "rtbr");
            NetNamespace.run("ip", "link", "set", "rtbr", "up");
            NetNamespace.awaitForwarding(NAME);
            NetNamespace.awaitForwarding("rt1");
            for (int i = 0; i < FRAMES; i++)
            {
                TestFrames.add(rig.batch, rig.allocator, TestFrames.numbered(i, 100));
            }
            final long allocated = Allocations.least(() -> run(other));
            assertTrue(allocated < ROUNDS, allocated + " bytes in " + ROUNDS + " rounds of " + FRAMES + " frames");
        }
        finally
        {
            other.close();
            NetNamespace.run("ip", "link", "del", "rtbr");
        }
    }

    private void run(final PortRig other)
    {
        for (int round = 0; round < ROUNDS; round++)
        {
            rig.batch.sent(0);
            assertEquals(FRAMES, rig.queue.transmit(rig.batch));
            for (int received = 0, tries = 0; received < FRAMES; tries++)
            {
                received += other.queue.receive(other.batch, PortRig.BATCH);
                other.queue.release(other.batch);
                if (tries == 1_000_000)
                {
                    throw new AssertionError("frames were lost");
                }
            }
        }
    }
}
