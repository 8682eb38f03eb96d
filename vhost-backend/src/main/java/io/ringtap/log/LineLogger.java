package io.ringtap.log;

import org.slf4j.Marker;
import org.slf4j.event.Level;
import org.slf4j.helpers.LegacyAbstractLogger;
import org.slf4j.helpers.MessageFormatter;

import java.io.PrintWriter;
import java.io.StringWriter;

/** Writes lines: level, then what there is to say; a trace behind it where there is one. */
final class LineLogger extends LegacyAbstractLogger
{
    private static final long serialVersionUID = 1L;
    private static final String CALLER = LineLogger.class.getName();

    private final transient LogGate gate;
    private volatile Level threshold;

    LineLogger(final String name, final LogGate gate, final Level threshold)
    {
        this.name = name;
        this.gate = gate;
        this.threshold = threshold;
    }

    void threshold(final Level level)
    {
        threshold = level;
    }

    @Override
    public boolean isTraceEnabled()
    {
        return is(Level.TRACE);
    }

    @Override
    public boolean isDebugEnabled()
    {
        return is(Level.DEBUG);
    }

    @Override
    public boolean isInfoEnabled()
    {
        return is(Level.INFO);
    }

    @Override
    public boolean isWarnEnabled()
    {
        return is(Level.WARN);
    }

    @Override
    public boolean isErrorEnabled()
    {
        return is(Level.ERROR);
    }

    @Override
    protected String getFullyQualifiedCallerName()
    {
        return CALLER;
    }

    @Override
    protected void handleNormalizedLoggingCall(
        final Level level, final Marker marker, final String pattern, final Object[] arguments, final Throwable cause)
    {
        // Whoever asks for details gets all of them.
        final boolean isLimited = Level.INFO.toInt() <= level.toInt();
        final Object subject = null == arguments || 0 == arguments.length ? "" : arguments[0];
        final long held = isLimited ? gate.admit(pattern, subject, System.nanoTime()) : 0;
        if (LogGate.HELD == held)
        {
            return;
        }
        final StringWriter line = new StringWriter();
        line.append("[").append(level.toString()).append("] ")
            .append(MessageFormatter.basicArrayFormat(pattern, arguments));
        if (0 < held)
        {
            line.append(" (").append(Long.toString(held)).append(" lines like this were left out)");
        }
        line.append(System.lineSeparator());
        if (null != cause)
        {
            cause.printStackTrace(new PrintWriter(line, true));
        }
        // In one piece: lines of several threads do not mix.
        System.err.print(line);
        System.err.flush();
    }

    private boolean is(final Level level)
    {
        return threshold.toInt() <= level.toInt();
    }
}
