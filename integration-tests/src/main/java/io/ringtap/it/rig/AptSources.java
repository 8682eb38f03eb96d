package io.ringtap.it.rig;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Finds the Debian mirror that this machine itself is set up with, in both notations of apt, so that no host is ever
 * named here.
 */
final class AptSources
{
    private static final Path MAIN = Path.of("/etc/apt/sources.list");
    private static final Path PARTS = Path.of("/etc/apt/sources.list.d");
    private static final Path KEYRING = Path.of("/usr/share/keyrings/debian-archive-keyring.gpg");
    private static final Pattern ONE_LINE = Pattern.compile(
        "^\\s*deb\\s+(?:\\[(?<options>[^\\]]*)\\]\\s+)?(?<uri>\\S+)\\s+(?<suite>\\S+)\\s+(?<components>.+)$");

    private AptSources()
    {
    }

    /** The one-line source of another suite on the same mirror, or null when there is no Debian mirror here. */
    static String sibling(final String release, final String suite)
    {
        final List<Path> files = new ArrayList<>(List.of(MAIN));
        files.addAll(HostFiles.list(PARTS));
        for (final Path file : files)
        {
            final String found = file.toString().endsWith(".sources") ?
                fromStanzas(HostFiles.read(file), release, suite) : fromLines(HostFiles.read(file), release, suite);
            if (null != found)
            {
                return found;
            }
        }
        return null;
    }

    static String fromLines(final String text, final String release, final String suite)
    {
        for (final String line : text.lines().toList())
        {
            final Matcher matcher = ONE_LINE.matcher(line);
            if (matcher.matches() && matcher.group("suite").equals(release) &&
                matcher.group("components").matches(".*\\bmain\\b.*"))
            {
                final String options = matcher.group("options");
                final Matcher key = Pattern.compile("signed-by=(\\S+)").matcher(null == options ? "" : options);
                return line(matcher.group("uri"), key.find() ? key.group(1) : null, suite);
            }
        }
        return null;
    }

    static String fromStanzas(final String text, final String release, final String suite)
    {
        for (final String stanza : text.split("\\n\\s*\\n"))
        {
            final boolean matches = List.of(field(stanza, "Suites").split("\\s+")).contains(release) &&
                List.of(field(stanza, "Components").split("\\s+")).contains("main") &&
                List.of(field(stanza, "Types").split("\\s+")).contains("deb");
            if (matches)
            {
                final String key = field(stanza, "Signed-By");
                return line(field(stanza, "URIs").split("\\s+")[0], key.startsWith("/") ? key : null, suite);
            }
        }
        return null;
    }

    private static String line(final String uri, final String key, final String suite)
    {
        return "deb [signed-by=" + (null == key ? KEYRING : key) + "] " + uri + " " + suite + " main";
    }

    private static String field(final String stanza, final String name)
    {
        final Matcher matcher = Pattern.compile("(?m)^" + name + ":\\s*(.*)$").matcher(stanza);
        return matcher.find() ? matcher.group(1).strip() : "";
    }
}
