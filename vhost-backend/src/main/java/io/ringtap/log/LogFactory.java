package io.ringtap.log;

import org.slf4j.ILoggerFactory;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.slf4j.event.Level;

import java.util.Map;
import java.util.TreeMap;

/** Makes loggers, and knows their levels: of all, and of those whose names begin in some way. */
public final class LogFactory implements ILoggerFactory
{
    /** Level of all at the start, one of trace, debug, info, warn, error. */
    public static final String PROPERTY = "ringtap.log.level";
    /** Names with a level of their own. */
    public static final int MAX_NAMES = 64;

    private final LogGate gate = new LogGate();
    private final Map<String, LineLogger> loggers = new TreeMap<>();
    private final Map<String, Level> levels = new TreeMap<>();

    LogFactory()
    {
        levels.put("", parse(System.getProperty(PROPERTY, "info")));
    }

    /** The one that is in use; null when somebody brought another log along. */
    public static LogFactory inUse()
    {
        return LoggerFactory.getILoggerFactory() instanceof LogFactory factory ? factory : null;
    }

    @Override
    public synchronized Logger getLogger(final String name)
    {
        return loggers.computeIfAbsent(name, (each) -> new LineLogger(each, gate, levelOf(each)));
    }

    /**
     * From now on.
     *
     * @param prefix of names, ending where a part of them does; empty for all, which takes levels of their own away.
     * @return false when there are too many names.
     */
    public synchronized boolean level(final String prefix, final Level level)
    {
        if (prefix.isEmpty())
        {
            levels.clear();
        }
        else if (!levels.containsKey(prefix) && MAX_NAMES <= levels.size() - 1)
        {
            return false;
        }
        levels.put(prefix, level);
        loggers.values().forEach((logger) -> logger.threshold(levelOf(logger.getName())));
        return true;
    }

    /** By prefix; the empty one is for all others. */
    public synchronized Map<String, Level> levels()
    {
        return new TreeMap<>(levels);
    }

    /** The longest prefix wins. */
    private Level levelOf(final String name)
    {
        String prefix = name;
        while (!levels.containsKey(prefix))
        {
            final int dot = prefix.lastIndexOf('.');
            prefix = dot < 0 ? "" : prefix.substring(0, dot);
        }
        return levels.get(prefix);
    }

    private static Level parse(final String text)
    {
        for (final Level level : Level.values())
        {
            if (level.name().equalsIgnoreCase(text))
            {
                return level;
            }
        }
        return Level.INFO;
    }
}
