package io.ringtap.port;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;

import io.ringtap.sys.OpenDescriptors;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.extension.ExtendWith;

import java.util.Set;

/** A port in its bed; at the end no descriptor and no fragment may be missing. */
@ExtendWith(NetNamespace.class)
abstract class PortContractBase extends QueueContract
{
    static final long PATIENCE_NS = 5_000_000_000L;

    PortBed bed;
    private Set<String> descriptors;

    abstract PortBed bed();

    @BeforeEach
    void count()
    {
        bed = bed();
        descriptors = OpenDescriptors.list();
    }

    @AfterEach
    void takeDown()
    {
        try
        {
            if (null != rig)
            {
                rig.close();
                rig = null;
            }
        }
        finally
        {
            bed.close();
        }
        assertEquals(descriptors, OpenDescriptors.list(), "descriptors lost");
    }

    @Override
    final void begin()
    {
        open(MTU);
    }

    final void open(final int mtu)
    {
        bed.raise(mtu);
        rig = bed.open(mtu);
    }

    final void exchange(final PacketSocket host, final int number)
    {
        add(number, 60);
        rig.transmitAll();
        assertArrayEquals(TestFrames.numbered(number, 60), host.receive());
        host.send(TestFrames.numbered(number + 1, 60));
        rig.receive();
        assertArrayEquals(TestFrames.numbered(number + 1, 60), TestFrames.bytes(rig.batch, 0));
        rig.queue.release(rig.batch);
    }

    final void fallAsleep()
    {
        do
        {
            while (0 < rig.queue.receive(rig.batch, PortRig.BATCH))
            {
                rig.queue.release(rig.batch);
            }
        }
        while (!rig.queue.armReceive());
    }
}
