package io.ringtap.it.rig;

/** Lines for the person who waits: what is being fetched, what was measured, what was left out and why. */
public final class Progress
{
    private static final String WHO = System.getProperty("ringtap.it.name", "ringtap-it");
    private static final long START_NS = System.nanoTime();

    private Progress()
    {
    }

    public static void say(final String line)
    {
        System.out.printf("[%s %4d s] %s%n", WHO, (System.nanoTime() - START_NS) / 1_000_000_000L, line);
    }
}
