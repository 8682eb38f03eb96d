package io.ringtap.command;

/** Sets how much the log says; must come before the first logger is made, since the level is read then. */
final class Logging
{
    /** Warnings and errors. */
    static final String QUIET = "warn";
    /** Everything. */
    static final String VERBOSE = "debug";

    private static final String LEVEL = "org.slf4j.simpleLogger.defaultLogLevel";

    private Logging()
    {
    }

    static void level(final String level)
    {
        if (null == System.getProperty(LEVEL))
        {
            System.setProperty(LEVEL, level);
        }
    }
}
