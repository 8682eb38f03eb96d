package io.ringtap.it.rig;

import org.opentest4j.AssertionFailedError;
import org.opentest4j.TestAbortedException;

/** What a test needs of the machine. Lacking it is told aloud; in CI it is a failure. */
public final class Requirement
{
    private Requirement()
    {
    }

    public static void demand(final boolean holds, final String otherwise)
    {
        if (holds)
        {
            return;
        }
        Progress.say((Settings.isCi() ? "FAILED: " : "SKIPPED: ") + otherwise);
        if (Settings.isCi())
        {
            throw new AssertionFailedError(otherwise);
        }
        throw new TestAbortedException(otherwise);
    }
}
