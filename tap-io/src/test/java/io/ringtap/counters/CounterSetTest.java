package io.ringtap.counters;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;

import org.junit.jupiter.api.Test;

/** One writer, any reader. */
class CounterSetTest
{
    private enum Fruit implements CounterLabel
    {
        APPLE, PEAR;

        @Override
        public String label()
        {
            return name().toLowerCase(java.util.Locale.ROOT);
        }

        @Override
        public String meaning()
        {
            return "fruit eaten";
        }
    }

    private final CounterSet<Fruit> counters = new CounterSet<>("basket 1", Fruit.class);

    @Test
    void shouldCountEachOnItsOwn()
    {
        counters.increment(Fruit.APPLE);
        counters.add(Fruit.PEAR, 5);
        counters.add(Fruit.PEAR, 1L << 40);
        assertEquals(1, counters.get(Fruit.APPLE));
        assertEquals(5 + (1L << 40), counters.get(Fruit.PEAR));
        assertEquals("basket 1", counters.scope());
        assertArrayEquals(Fruit.values(), counters.counters());
    }

    @Test
    void shouldNeverShowAReaderAValueThatGoesBack() throws InterruptedException
    {
        final Thread writer = new Thread(() ->
        {
            for (int i = 0; i < 1_000_000; i++)
            {
                counters.increment(Fruit.APPLE);
            }
        });
        writer.start();
        long last = 0;
        while (writer.isAlive())
        {
            final long now = counters.get(Fruit.APPLE);
            assertEquals(last, Math.min(last, now));
            last = now;
        }
        writer.join();
        assertEquals(1_000_000, counters.get(Fruit.APPLE));
    }
}
