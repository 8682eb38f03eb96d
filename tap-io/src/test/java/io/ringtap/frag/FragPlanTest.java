package io.ringtap.frag;

import org.junit.jupiter.api.Test;

import static org.junit.jupiter.api.Assertions.assertEquals;

/** The figures of memory that the project promises. */
class FragPlanTest
{
    @Test
    void shouldNeed341MegabytesInsteadOf512ForJumboBuffersOfEightQueues()
    {
        final FragPlan plan = new FragPlan(8, 4096, 9 * 1024);
        assertEquals(3, plan.buffersPerPage());
        assertEquals(341, plan.pageFragmentBytes() >> 20);
        assertEquals(512, plan.perBufferBytes() >> 20);
        assertEquals(10_923, plan.pages());
        assertEquals(32_768, plan.perBufferMappings());
        assertEquals("8 queues x 4096 buffers x 9216 bytes: page fragments 341 MiB in 10923 mappings, " +
            "single buffers 512 MiB in 32768", plan.describe());
    }

    @Test
    void shouldPackTwentyEthernetBuffersInAPage()
    {
        assertEquals(21, new FragPlan(1, 256, 1500).buffersPerPage());
        assertEquals(2048 * 256, new FragPlan(1, 256, 1500).perBufferBytes());
        assertEquals(2048 * 256, new FragPlan(1, 256, 2048).perBufferBytes());
    }

    @Test
    void shouldUseWholePagesForBuffersLongerThanOne()
    {
        assertEquals(3 * 10, new FragPlan(1, 10, 65818).pages());
    }
}
