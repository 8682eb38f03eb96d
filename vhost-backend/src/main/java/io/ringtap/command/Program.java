package io.ringtap.command;

import java.io.PrintStream;
import java.io.PrintWriter;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.Map;
import java.util.concurrent.Callable;

/**
 * Decides what the words of a command line ask for, runs it, and knows the exit codes.
 * <p>
 * Management software starts us by the conventions of vhost-user back-end programs: options only. That way is short,
 * because a guest waits for it; everything else goes through {@link CommandTree}.
 */
public final class Program
{
    /** Done. */
    public static final int DONE = 0;
    /** Something failed that is not the user's mistake. */
    public static final int FAILED = 1;
    /** Bad usage or input. */
    public static final int BAD_USAGE = 2;

    /** Asks for the capabilities, whatever else is given (vhost-user specification, back-end program conventions). */
    static final String PRINT_CAPABILITIES = "--print-capabilities";

    private Program()
    {
    }

    /**
     * Runs what the words ask for.
     *
     * @return the exit code.
     */
    public static int run(final String[] words, final PrintStream out, final PrintStream err)
    {
        if (Arrays.asList(words).contains(PRINT_CAPABILITIES))
        {
            out.println(Capabilities.json());
            return DONE;
        }
        if (2 == words.length && WarmUp.WORD.equals(words[0]))
        {
            return attempt(() -> WarmUp.run(Path.of(words[1])), true, err);
        }
        final Map<ServeOption, String> given = ServeWords.parse(words);
        if (null != given)
        {
            return attempt(() -> ServeCommand.run(given), given.containsKey(ServeOption.VERBOSE), err);
        }
        return CommandTree.create(new PrintWriter(out, true), new PrintWriter(err, true)).execute(words);
    }

    private static int attempt(final Callable<Integer> work, final boolean verbose, final PrintStream err)
    {
        try
        {
            return work.call();
        }
        catch (final Exception failure)
        {
            return Failures.report(failure, verbose, new PrintWriter(err, true));
        }
    }
}
