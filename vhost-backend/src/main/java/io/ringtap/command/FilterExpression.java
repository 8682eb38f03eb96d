package io.ringtap.command;

import io.ringtap.ConfigException;
import io.ringtap.vhost.ops.CommandException;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.concurrent.TimeUnit;

/** Compiles an expression of pcap-filter(7) by asking tcpdump, so that it means what it means there. */
final class FilterExpression
{
    private static final int LIMIT_SECONDS = 20;
    private static final int MAX_EXPRESSION = 4096;
    private static final int MAX_PROGRAM = 64 * 1024;

    private FilterExpression()
    {
    }

    /**
     * Here and not in the backend, which starts no programs.
     *
     * @return the program as numbers, an instruction a line.
     * @throws ConfigException when the expression is none.
     */
    static String compile(final String expression)
    {
        if (expression.length() > MAX_EXPRESSION)
        {
            throw new ConfigException("--filter", "longer than " + MAX_EXPRESSION + " characters", "say it shorter");
        }
        try
        {
            // One argument, and none that tcpdump could take for an option or a file.
            final Process tcpdump = new ProcessBuilder("tcpdump", "-y", "EN10MB", "-ddd", "--", expression)
                .redirectErrorStream(true).start();
            tcpdump.getOutputStream().close();
            final String said = new String(
                tcpdump.getInputStream().readNBytes(MAX_PROGRAM), StandardCharsets.UTF_8);
            if (!tcpdump.waitFor(LIMIT_SECONDS, TimeUnit.SECONDS))
            {
                tcpdump.destroyForcibly();
                throw new CommandException("--filter", "tcpdump does not come to an end", "try it by hand");
            }
            if (0 != tcpdump.exitValue())
            {
                throw new ConfigException("--filter=" + expression, said.lines().reduce((all, last) -> last)
                    .orElse("tcpdump refused it"), "see pcap-filter(7)");
            }
            return String.join("\n", said.lines().filter((line) -> line.matches("[0-9 ]+")).toList());
        }
        catch (final IOException ex)
        {
            throw new CommandException("--filter=" + expression, "tcpdump compiles it, and is not here (" +
                ex.getMessage() + ")", "install it");
        }
        catch (final InterruptedException ex)
        {
            Thread.currentThread().interrupt();
            throw new CommandException("--filter", "interrupted", "try it again");
        }
    }
}
