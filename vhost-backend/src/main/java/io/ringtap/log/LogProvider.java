package io.ringtap.log;

import org.slf4j.ILoggerFactory;
import org.slf4j.IMarkerFactory;
import org.slf4j.helpers.BasicMarkerFactory;
import org.slf4j.helpers.NOPMDCAdapter;
import org.slf4j.spi.MDCAdapter;
import org.slf4j.spi.SLF4JServiceProvider;

/** How SLF4J finds this log. */
public final class LogProvider implements SLF4JServiceProvider
{
    private final ILoggerFactory loggers = new LogFactory();
    private final IMarkerFactory markers = new BasicMarkerFactory();
    private final MDCAdapter contexts = new NOPMDCAdapter();

    /** Made by SLF4J. */
    public LogProvider()
    {
    }

    @Override
    public ILoggerFactory getLoggerFactory()
    {
        return loggers;
    }

    @Override
    public IMarkerFactory getMarkerFactory()
    {
        return markers;
    }

    @Override
    public MDCAdapter getMDCAdapter()
    {
        return contexts;
    }

    @Override
    public String getRequestedApiVersion()
    {
        return "2.0.99";
    }

    @Override
    public void initialize()
    {
        // Everything is made with the object.
    }
}
