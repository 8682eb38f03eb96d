package io.ringtap.bench.guest;

import java.util.HashMap;
import java.util.List;
import java.util.Map;

/** Words of the form {@code name=value} between the harness and the process of the built-in guest. */
final class GuestOptions
{
    private final Map<String, String> given = new HashMap<>();

    GuestOptions(final List<String> words)
    {
        for (final String word : words)
        {
            final String[] parts = word.split("=", 2);
            if (2 != parts.length)
            {
                throw new IllegalArgumentException(word + ": not name=value");
            }
            given.put(parts[0], parts[1]);
        }
    }

    String text(final String name, final String otherwise)
    {
        return given.getOrDefault(name, otherwise);
    }

    int number(final String name, final int otherwise)
    {
        return given.containsKey(name) ? Integer.parseInt(given.get(name)) : otherwise;
    }

    boolean isOn(final String name)
    {
        return "true".equals(given.get(name));
    }
}
