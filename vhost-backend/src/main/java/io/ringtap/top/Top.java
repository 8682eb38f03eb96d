package io.ringtap.top;

import io.ringtap.terminal.Key;
import io.ringtap.terminal.Terminal;
import io.ringtap.vhost.ops.CommandException;
import io.ringtap.vhost.ops.ControlClient;

import java.io.PrintStream;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.function.BooleanSupplier;
import java.util.function.Consumer;
import java.util.function.Function;
import java.util.function.Supplier;

/** The live view: asks, draws, and listens to keys in turn; lines instead of pictures where there is no terminal. */
public final class Top
{
    private static final int LOOK_MS = 100;
    /** The first rates come soon, however long the interval is. */
    private static final double FIRST = 0.2;
    private static final double NS_PER_SECOND = 1e9;

    private final Source source;
    private final BooleanSupplier isEnded;
    private final Reading reading = new Reading();
    private final ViewState state;
    private String trouble;

    Top(final Source source, final double interval, final BooleanSupplier isEnded)
    {
        this.source = source;
        this.isEnded = isEnded;
        state = new ViewState(interval);
    }

    /**
     * Shows until the user has seen enough.
     *
     * @param connector connects to the backend, and again when it was restarted.
     * @param requests  makes the request of a command.
     * @param title     which backend it is.
     * @param options   how.
     * @param isEnded   whether a signal came.
     * @param onScreen  is handed what restores the terminal, for whoever gets that signal.
     * @throws CommandException when nobody answers at first, or without a terminal at any time.
     */
    public static void run(
        final Supplier<ControlClient> connector,
        final Function<String, Map<String, Object>> requests,
        final String title,
        final TopOptions options,
        final BooleanSupplier isEnded,
        final Consumer<Runnable> onScreen) throws InterruptedException
    {
        try (ControlSource source = new ControlSource(connector, requests))
        {
            final Top top = new Top(source, options.interval(), isEnded);
            if (options.isPlain())
            {
                top.print(System.out, options.count());
                return;
            }
            // What is wrong at the first question is better said on a screen that stays.
            top.reading.take(source.next());
            try (Terminal terminal = Terminal.open(System.out))
            {
                onScreen.accept(terminal::close);
                top.show(terminal, new Picture(options.glyphs(), title), options.count());
            }
        }
    }

    private void show(final Terminal terminal, final Picture picture, final long count)
    {
        long asked = 0;
        long askedNs = System.nanoTime();
        int rows = 0;
        int columns = 0;
        boolean isStale = true;
        while (!state.isEnded() && !isEnded.getAsBoolean() && asked < count)
        {
            // Looked at anew each time: a shorter interval holds from the key on.
            final double wait = 0 == asked ? Math.min(state.interval(), FIRST) : state.interval();
            if (!state.isPaused() && System.nanoTime() - askedNs >= ns(wait))
            {
                ask();
                asked++;
                askedNs = System.nanoTime();
                isStale = true;
            }
            if (isStale || rows != terminal.rows() || columns != terminal.columns())
            {
                rows = terminal.rows();
                columns = terminal.columns();
                terminal.show(picture.draw(reading, state, trouble, rows, columns));
                isStale = false;
            }
            final Key key = terminal.key(LOOK_MS);
            if (Key.Kind.NONE != key.kind())
            {
                state.press(key, Picture.columns(reading, state, columns));
                isStale = true;
            }
        }
    }

    private void ask()
    {
        try
        {
            reading.take(source.next());
            trouble = null;
        }
        catch (final CommandException ex)
        {
            // A backend that is restarted comes back; until then the last picture stays.
            trouble = "NO ANSWER";
        }
    }

    /** A table a moment, as a log or another program wants it. */
    void print(final PrintStream out, final long count) throws InterruptedException
    {
        reading.take(source.next());
        for (long i = 0; i < count && !isEnded.getAsBoolean(); i++)
        {
            long leftNs = ns(state.interval());
            while (0 < leftNs && !isEnded.getAsBoolean())
            {
                final long stepNs = Math.min(leftNs, TimeUnit.MILLISECONDS.toNanos(LOOK_MS));
                TimeUnit.NANOSECONDS.sleep(stepNs);
                leftNs -= stepNs;
            }
            reading.take(source.next());
            PlainLines.print(out, reading, 0 == i);
        }
    }

    private static long ns(final double seconds)
    {
        return (long)(seconds * NS_PER_SECOND);
    }
}
