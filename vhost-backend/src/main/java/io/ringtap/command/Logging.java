package io.ringtap.command;

import io.ringtap.log.LogFactory;

/** Sets how much the log says; must come before the first logger is made, since the level is read then. */
final class Logging
{
    /** Warnings and errors. */
    static final String QUIET = "warn";
    /** Everything. */
    static final String VERBOSE = "debug";

    private Logging()
    {
    }

    static void level(final String level)
    {
        if (null == System.getProperty(LogFactory.PROPERTY))
        {
            System.setProperty(LogFactory.PROPERTY, level);
        }
    }
}
