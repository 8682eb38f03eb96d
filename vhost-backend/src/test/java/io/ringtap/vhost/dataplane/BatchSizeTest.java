package io.ringtap.vhost.dataplane;

import org.junit.jupiter.api.Test;

import static org.junit.jupiter.api.Assertions.assertEquals;

/** When a worker takes more than its usual batch. */
class BatchSizeTest
{
    private final BatchSize size = new BatchSize();

    @Test
    void shouldTakeTheUsualBatchOfOneFlow()
    {
        size.learn(64, 64, 1, 1);
        assertEquals(BatchSize.USUAL, size.limit());
    }

    @Test
    void shouldTakeTheUsualBatchWhenNothingIsSorted()
    {
        size.learn(64, 64, 0, 64);
        assertEquals(BatchSize.USUAL, size.limit());
    }

    @Test
    void shouldTakeAsMuchAsFlowsCanFill()
    {
        size.learn(64, 64, 2, 2);
        assertEquals(128, size.limit());
        size.learn(128, 128, 8, 8);
        assertEquals(BatchSize.LONGEST, size.limit());
    }

    @Test
    void shouldTakeTheUsualBatchAgainWhenTheRingHasLess()
    {
        size.learn(64, 64, 8, 8);
        size.learn(100, 100, 8, 8);
        assertEquals(BatchSize.USUAL, size.limit());
    }

    @Test
    void shouldNotTryAgainForAWhileWhatDidNotMerge()
    {
        size.learn(64, 64, 64, 64);
        assertEquals(BatchSize.LONGEST, size.limit());
        size.learn(256, 256, 256, 256);
        for (int i = 0; i < BatchSize.HOLD_OFF; i++)
        {
            assertEquals(BatchSize.USUAL, size.limit());
            size.learn(64, 64, 64, 64);
        }
        size.learn(64, 64, 64, 64);
        assertEquals(BatchSize.LONGEST, size.limit());
    }

    @Test
    void shouldStayLongWhileItPays()
    {
        size.learn(64, 64, 64, 64);
        size.learn(256, 256, 100, 100);
        assertEquals(BatchSize.LONGEST, size.limit());
    }
}
