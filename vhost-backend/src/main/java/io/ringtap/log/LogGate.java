package io.ringtap.log;

import java.util.LinkedHashMap;
import java.util.Map;

/**
 * Lets a few lines about one thing through in a minute, and says with the next one how many it kept back. Whatever a
 * guest or a front-end repeats, it cannot fill a disk or hide what else is written.
 */
final class LogGate
{
    /** Lines about one thing in a window: enough for a person to see what repeats. */
    static final int LINES = 10;
    static final long WINDOW_NS = 60_000_000_000L;
    /** Things remembered; the one that was quiet for longest is forgotten first. */
    static final int MAX_THINGS = 1024;
    /** Returned instead of a count: the line is kept back. */
    static final long HELD = -1;

    private static final int MAX_SUBJECT = 64;

    /** What was written about one thing lately. */
    private static final class Window
    {
        private long sinceNs;
        private int passed;
        private long held;
    }

    private final Map<String, Window> windows = new LinkedHashMap<>(16, 0.75f, true)
    {
        @Override
        protected boolean removeEldestEntry(final Map.Entry<String, Window> eldest)
        {
            return MAX_THINGS < size();
        }
    };

    /**
     * May a line be written?
     *
     * @param pattern what it says, before anything is filled in.
     * @param subject whom it is about.
     * @return how many were kept back before it, or {@link #HELD}.
     */
    synchronized long admit(final String pattern, final Object subject, final long nowNs)
    {
        final String about = String.valueOf(subject);
        final Window window = windows.computeIfAbsent(
            pattern + '\0' + about.substring(0, Math.min(MAX_SUBJECT, about.length())), (thing) -> new Window());
        if (0 == window.passed || WINDOW_NS <= nowNs - window.sinceNs)
        {
            window.sinceNs = nowNs;
            window.passed = 0;
        }
        if (LINES <= window.passed)
        {
            window.held++;
            return HELD;
        }
        window.passed++;
        final long held = window.held;
        window.held = 0;
        return held;
    }
}
