package io.ringtap.bench.scenario;

import io.ringtap.it.rig.HostFiles;
import io.ringtap.it.rig.RigException;
import io.ringtap.vhost.ops.ControlClient;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.Locale;
import java.util.Map;

/** Recordings of a running backend, one a turn, into files in memory; what they missed is summed up. */
final class CaptureTurns implements AutoCloseable
{
    private static final int FILE_MIB = 64;
    private static final int FILES = 4;

    private final Path control;
    private final String label;
    private final Map<String, Object> options;
    private final Path folder;
    private double seen;
    private double missed;

    /** @param options of {@code capture.start}, beside the file. */
    CaptureTurns(final Path control, final String label, final Map<String, Object> options)
    {
        this.control = control;
        this.label = label;
        this.options = options;
        try
        {
            folder = Files.createTempDirectory(Path.of("/dev/shm"), "rt-capture-");
        }
        catch (final IOException ex)
        {
            throw new RigException("no place for recordings in /dev/shm: " + ex.getMessage(), ex);
        }
    }

    void start()
    {
        final Map<String, Object> request = new LinkedHashMap<>(options);
        request.put("command", "capture.start");
        request.put("file", folder.resolve("turn.pcapng").toString());
        request.put("fileMib", FILE_MIB);
        request.put("files", FILES);
        ask(request);
    }

    void stop()
    {
        final Map<String, Object> last = ask(Map.of("command", "capture.stop"));
        if (!"ended".equals(last.get("state")))
        {
            throw new RigException("the recording of " + label + " did not last: " + last);
        }
        final double lost = number(last, "missed");
        missed += lost;
        seen += lost + number(last, "frames") + number(last, "filtered");
        empty();
    }

    /** For the row. */
    String missed()
    {
        return String.format(Locale.ROOT, "%s missed %.1f %%", label, 0 == seen ? 0 : 100 * missed / seen);
    }

    @Override
    public void close()
    {
        empty();
        HostFiles.delete(folder);
    }

    private void empty()
    {
        HostFiles.list(folder).forEach(HostFiles::delete);
    }

    private Map<String, Object> ask(final Map<String, Object> request)
    {
        try (ControlClient client = ControlClient.connect(control.toString()))
        {
            return client.ask(request);
        }
    }

    private static double number(final Map<String, Object> answer, final String name)
    {
        return ((Number)answer.get(name)).doubleValue();
    }
}
