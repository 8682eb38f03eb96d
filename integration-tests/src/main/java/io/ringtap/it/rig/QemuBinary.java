package io.ringtap.it.rig;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * One QEMU on this machine.
 *
 * @param program  the executable.
 * @param firmware directories given with {@code -L}; empty for an installed one.
 * @param major    first part of the version.
 * @param version  for messages.
 */
public record QemuBinary(Path program, List<Path> firmware, int major, String version)
{
    /** QEMU 7.2 crashes at the driver's probe with vhost-user, MSI-X and TCG; 10.0 does not. */
    private static final int FIRST_WITH_MSIX = 8;
    /** {@code reconnect-ms} came with 9.2; before that the unit is a second. */
    private static final int FIRST_WITH_RECONNECT_MS = 10;

    static QemuBinary of(final Path program, final List<Path> firmware)
    {
        final String text = Shell.check(program.toString(), "--version");
        final Matcher matcher = Pattern.compile("version (\\d+)\\.([\\d.]+)").matcher(text);
        if (!matcher.find())
        {
            throw new RigException("no version in the output of " + program + ": " + text);
        }
        return new QemuBinary(program, List.copyOf(firmware), Integer.parseInt(matcher.group(1)),
            matcher.group(1) + "." + matcher.group(2));
    }

    public boolean hasWorkingMsix()
    {
        return major >= FIRST_WITH_MSIX;
    }

    public boolean reconnectsInMilliseconds()
    {
        return major >= FIRST_WITH_RECONNECT_MS;
    }

    List<String> command()
    {
        final List<String> command = new ArrayList<>(List.of(program.toString()));
        firmware.forEach(directory -> command.addAll(List.of("-L", directory.toString())));
        return command;
    }

    @Override
    public String toString()
    {
        return "QEMU " + version;
    }
}
