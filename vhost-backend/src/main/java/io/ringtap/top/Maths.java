package io.ringtap.top;

import java.util.HashMap;
import java.util.Map;

/** Differences and sums of counters by name. */
final class Maths
{
    private Maths()
    {
    }

    static Map<String, Long> since(final Map<String, Long> now, final Map<String, Long> earlier)
    {
        final Map<String, Long> difference = new HashMap<>();
        now.forEach((name, value) -> difference.put(name, since(value, earlier.getOrDefault(name, 0L))));
        return difference;
    }

    static Map<String, Long> plus(final Map<String, Long> one, final Map<String, Long> other)
    {
        final Map<String, Long> sum = new HashMap<>(one);
        other.forEach((name, value) -> sum.merge(name, value, Long::sum));
        return sum;
    }

    static long since(final long now, final long earlier)
    {
        return now < earlier ? now : now - earlier;
    }
}
