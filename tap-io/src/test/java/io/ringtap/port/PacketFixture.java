package io.ringtap.port;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.ringtap.sys.OpenDescriptors;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.extension.ExtendWith;

import java.util.Arrays;
import java.util.Set;

/** A cable of two ends in a namespace of the test's own; at the end no descriptor and no fragment may be missing. */
@ExtendWith(NetNamespace.class)
abstract class PacketFixture
{
    static final String NEAR = VethBed.NEAR;
    static final String FAR = VethBed.FAR;

    PortRig rig;
    private final VethBed cable = new VethBed((mtu) -> null);
    private Set<String> descriptors;

    static PacketOptions options()
    {
        return new PacketOptions().name(NEAR);
    }

    void open(final PacketOptions options)
    {
        rig = PortRig.packet(options);
    }

    void close()
    {
        if (null != rig)
        {
            rig.close();
            rig = null;
        }
    }

    @BeforeEach
    void lay()
    {
        descriptors = OpenDescriptors.list();
        cable.raise(1500);
    }

    @AfterEach
    void takeAway()
    {
        try
        {
            close();
        }
        finally
        {
            cable.close();
        }
        assertEquals(descriptors, OpenDescriptors.list(), "descriptors lost");
    }

    static byte[] join(final byte[] first, final byte[] second)
    {
        final byte[] both = Arrays.copyOf(first, first.length + second.length);
        System.arraycopy(second, 0, both, first.length, second.length);
        return both;
    }
}
