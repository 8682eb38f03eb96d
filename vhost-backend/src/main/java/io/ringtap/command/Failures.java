package io.ringtap.command;

import io.ringtap.ConfigException;
import io.ringtap.vhost.ops.CommandException;
import io.ringtap.xdp.HookLoadException;
import io.ringtap.xdp.bpf.elf.ObjectException;
import io.ringtap.xdp.trial.CaptureException;
import picocli.CommandLine;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.UnmatchedArgumentException;

import java.io.PrintWriter;
import java.util.List;

/** Turns an exception into one line on stderr and an exit code; the trace only when the user asked for it. */
final class Failures
{
    private static final String NAME = "ringtap: ";

    private Failures()
    {
    }

    /** For a failure of the short way, which knows no picocli. */
    static int report(final Exception failure, final boolean verbose, final PrintWriter err)
    {
        if (failure instanceof ConfigFileException)
        {
            ((ConfigFileException)failure).lines().forEach((line) -> print(line, failure, false, err));
            return Program.BAD_USAGE;
        }
        final boolean usersMistake = failure instanceof ConfigException || failure instanceof HookLoadException ||
            failure instanceof CommandException || failure instanceof ObjectException ||
            failure instanceof CaptureException;
        print(usersMistake ? failure.getMessage() : Remedies.describe(failure), failure, verbose, err);
        return usersMistake ? Program.BAD_USAGE : Program.FAILED;
    }

    /** For a failure of a command of the tree. */
    static int report(final Exception failure, final CommandLine command, final List<String> words)
    {
        final boolean verbose = words.contains(ServeOption.VERBOSE.word());
        if (failure instanceof ParameterException)
        {
            final String line = failure.getMessage() + hint((ParameterException)failure, command);
            print(line, failure, verbose, command.getErr());
            return Program.BAD_USAGE;
        }
        return report(failure, verbose, command.getErr());
    }

    private static void print(
        final String line, final Exception failure, final boolean verbose, final PrintWriter err)
    {
        // A message of somebody else may hold line breaks.
        err.println(NAME + line.strip().replaceAll("\\s*\\R\\s*", " "));
        if (verbose)
        {
            failure.printStackTrace(err);
        }
        err.flush();
    }

    private static String hint(final ParameterException failure, final CommandLine command)
    {
        if (failure instanceof UnmatchedArgumentException)
        {
            final List<String> similar = ((UnmatchedArgumentException)failure).getSuggestions();
            if (!similar.isEmpty())
            {
                return "; did you mean " + similar.get(0) + "?";
            }
        }
        return "; see " + command.getCommandSpec().qualifiedName() + " --help";
    }
}
