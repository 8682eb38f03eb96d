package io.ringtap.it.rig;

import java.nio.file.Path;
import java.time.Duration;

/** Runs commands in the guest by its second serial port; the other half is {@code guest/agent}. */
final class GuestAgent implements AutoCloseable
{
    private static final String READY = "@@READY";

    private final LineSocket socket;
    private int number;

    /** Connects at once: the agent says that it is ready only once, and only to who is there. */
    GuestAgent(final Path path, final HostProcess qemu)
    {
        this.socket = LineSocket.connect("the guest's agent", path, qemu, Duration.ofSeconds(30));
    }

    void awaitReady(final Duration limit)
    {
        final long deadlineNs = System.nanoTime() + limit.toNanos();
        while (!socket.receive(deadlineNs).endsWith(READY))
        {
            // What a booting machine sends before it is of no interest.
            assert deadlineNs != 0;
        }
    }

    Shell.Result run(final String command, final Duration limit)
    {
        if (command.indexOf('\n') >= 0)
        {
            throw new IllegalArgumentException("a command is one line: " + command);
        }
        final long deadlineNs = System.nanoTime() + limit.toNanos();
        final String id = "c" + ++number;
        socket.send(id + " " + command);
        final StringBuilder output = new StringBuilder();
        boolean begun = false;
        while (true)
        {
            final String line;
            try
            {
                line = socket.receive(deadlineNs);
            }
            catch (final RigException ex)
            {
                throw new RigException("guest: " + command + ": " + ex.getMessage() + "\n" + output, ex);
            }
            if (line.equals("@@BEGIN " + id))
            {
                begun = true;
            }
            else if (line.startsWith("@@END " + id + " "))
            {
                return new Shell.Result(Integer.parseInt(line.substring(line.lastIndexOf(' ') + 1)),
                    output.toString().strip());
            }
            else if (begun)
            {
                output.append(line).append('\n');
            }
        }
    }

    @Override
    public void close()
    {
        socket.close();
    }
}
