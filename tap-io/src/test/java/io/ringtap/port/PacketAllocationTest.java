package io.ringtap.port;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import org.junit.jupiter.api.Test;

/** Nothing is allocated on the Java heap for a frame that goes through packet rings, sent or received. */
class PacketAllocationTest extends PacketFixture
{
    private static final int ROUNDS = 3_000;
    private static final int FRAMES = 8;

    @Test
    void shouldNotAllocateWithAFlushABatch()
    {
        measure(options());
    }

    @Test
    void shouldNotAllocateWithADoorbell()
    {
        measure(options().doorbell(true));
    }

    /** Ports on both ends of the cable: what one sends the other receives. */
    private void measure(final PacketOptions options)
    {
        open(options);
        final PortRig other = PortRig.packet(new PacketOptions().name(FAR));
        try
        {
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
            TestFrames.finish(rig.batch, rig.allocator);
        }
    }

    private void run(final PortRig other)
    {
        for (int round = 0; round < ROUNDS; round++)
        {
            rig.batch.sent(0);
            assertEquals(FRAMES, rig.queue.transmit(rig.batch));
            rig.queue.flush();
            for (int received = 0, tries = 0; received < FRAMES; tries++)
            {
                received += other.queue.receive(other.batch, PortRig.BATCH);
                other.queue.release(other.batch);
                other.queue.armReceive();
                if (tries == 10_000_000)
                {
                    throw new AssertionError("frames were lost");
                }
            }
        }
    }
}
