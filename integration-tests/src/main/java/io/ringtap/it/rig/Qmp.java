package io.ringtap.it.rig;

import java.nio.file.Path;
import java.time.Duration;

/** QEMU's monitor: one command, one answer, events in between are dropped. */
final class Qmp implements AutoCloseable
{
    private static final Duration LIMIT = Duration.ofSeconds(30);

    private final LineSocket socket;

    Qmp(final Path path, final HostProcess qemu)
    {
        this.socket = LineSocket.connect("QEMU's monitor", path, qemu, LIMIT);
        socket.receive(System.nanoTime() + LIMIT.toNanos());
        execute("qmp_capabilities", null);
    }

    /** Executes a command with its arguments as a JSON object, or none; returns the whole answer. */
    String execute(final String command, final String arguments)
    {
        socket.send("{\"execute\": \"" + command + "\"" + (null == arguments ? "" : ", \"arguments\": " + arguments) +
            "}");
        final long deadlineNs = System.nanoTime() + LIMIT.toNanos();
        while (true)
        {
            final String answer = socket.receive(deadlineNs);
            if (answer.startsWith("{\"return\""))
            {
                return answer;
            }
            if (answer.startsWith("{\"error\""))
            {
                throw new RigException("QEMU refuses " + command + ": " + answer);
            }
        }
    }

    @Override
    public void close()
    {
        socket.close();
    }
}
