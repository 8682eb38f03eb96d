package io.ringtap.sys;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import org.agrona.concurrent.UnsafeBuffer;
import org.junit.jupiter.api.Test;

/** What can be said about bpf(2) without the right to use it. */
class BpfTest
{
    private static final int NO_COMMAND = 9999;

    @Test
    void shouldGiveTheKernelsRefusalAsNumber()
    {
        final long result = Bpf.call(NO_COMMAND, Bpf.attributes());

        assertTrue(result == -Errno.EINVAL || result == -Errno.EPERM, "result " + result);
    }

    @Test
    void shouldKeepOfNamesWhatTheKernelAllows()
    {
        final UnsafeBuffer attributes = Bpf.attributes();

        Bpf.putName(attributes, 28, "a map/of-a very long name");

        assertEquals("a_map_of_a_very", attributes.getStringWithoutLengthAscii(28, 15));
        assertEquals(0, attributes.getByte(43));
    }
}
