package io.ringtap.it.rig;

import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/** Somebody else's reader of capture files. */
public final class Tshark
{
    private static final Duration LIMIT = Duration.ofSeconds(120);

    private Tshark()
    {
    }

    /** Installs it when it is missing, as {@link Provision} does. */
    public static void provide()
    {
        Provision.files(Map.of(Path.of("/usr/bin/tshark"), "tshark"));
    }

    /**
     * Reads a file to its end.
     *
     * @param names of fields, as in {@code tshark -G fields}.
     * @return for each frame the first value of each field, or an empty text.
     * @throws RigException when a part of the file cannot be read.
     */
    public static List<String[]> fields(final Path file, final String... names)
    {
        final List<String> command = new ArrayList<>(List.of("tshark", "-n", "-r", file.toString(), "-T", "fields",
            "-E", "separator=,", "-E", "occurrence=f"));
        for (final String name : names)
        {
            command.addAll(List.of("-e", name));
        }
        final List<String[]> rows = new ArrayList<>();
        Shell.check(LIMIT, Map.of(), command).lines().filter((line) -> !line.startsWith("Running as user"))
            .forEach((line) -> rows.add(line.split(",", -1)));
        return rows;
    }
}
