package io.ringtap.port;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.ringtap.sys.OpenDescriptors;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.extension.ExtendWith;

import java.util.Set;

/** A TAP in a namespace of the test's own; at the end no descriptor and no fragment may be missing. */
@ExtendWith(NetNamespace.class)
abstract class TapFixture
{
    static final String NAME = "rt0";

    PortRig rig;
    private Set<String> descriptors;

    abstract PortIo io();

    TapOptions options()
    {
        return new TapOptions().name(NAME).io(io()).batch(PortRig.BATCH);
    }

    void open(final TapOptions options)
    {
        rig = PortRig.tap(options);
        rig.port.carrier(true);
    }

    @BeforeEach
    void count()
    {
        descriptors = OpenDescriptors.list();
    }

    @AfterEach
    void closeEverything()
    {
        if (null != rig)
        {
            rig.close();
            rig = null;
        }
        assertEquals(descriptors, OpenDescriptors.list(), "descriptors lost");
    }
}
