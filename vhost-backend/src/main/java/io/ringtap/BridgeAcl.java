package io.ringtap;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;

/**
 * Which bridges a TAP may join, in the words of qemu-bridge-helper's file: {@code allow NAME}, {@code deny NAME},
 * {@code include FILE}, and {@code #} before remarks; NAME may be {@code all}.
 * <p>
 * A line that names the bridge beats one that says all; among equals deny beats allow; what no line speaks of is
 * denied. The order of lines means nothing. Every list that applies must allow: the host's own ({@link #DEFAULT})
 * wherever it exists, the one that was asked for beside it. A process that runs with the right of somebody else (its
 * real user is not its effective one) needs the host's.
 */
public final class BridgeAcl
{
    /** The host's own list. */
    public static final String DEFAULT = "/etc/ringtap/bridge.conf";

    /** A file is read into memory whole. */
    static final int MAX_FILE = 64 * 1024;
    /** Files in files; one that includes itself ends here. */
    static final int MAX_DEPTH = 8;

    private static final String ALL = "all";
    /** Write permission of the group and of others. */
    private static final int WRITABLE_BY_OTHERS = 022;

    /** One file with what it includes. */
    private static final class Rules
    {
        final String file;
        final Set<String> allowed = new HashSet<>();
        final Set<String> denied = new HashSet<>();

        Rules(final String file)
        {
            this.file = file;
        }

        boolean allows(final String bridge)
        {
            if (denied.contains(bridge) || allowed.contains(bridge))
            {
                return !denied.contains(bridge);
            }
            return allowed.contains(ALL) && !denied.contains(ALL);
        }
    }

    private final List<Rules> lists = new ArrayList<>();

    private BridgeAcl()
    {
    }

    /** @param asked a list beside the host's own; null for none. */
    static BridgeAcl ofHost(final String asked)
    {
        return of(DEFAULT, asked, isPrivilegeBorrowed());
    }

    static BridgeAcl of(final String hosts, final String asked, final boolean isBorrowed)
    {
        final BridgeAcl acl = new BridgeAcl();
        if (isBorrowed || Files.exists(Path.of(hosts)))
        {
            acl.read(hosts);
        }
        if (null != asked)
        {
            acl.read(asked);
        }
        return acl;
    }

    /** @throws ConfigException when one of the lists does not allow it. */
    void check(final String bridge)
    {
        for (final Rules rules : lists)
        {
            if (!rules.allows(bridge))
            {
                throw new ConfigException("--bridge=" + bridge, rules.file + " does not allow it",
                    "choose another bridge, or let the administrator add the line: allow " + bridge);
            }
        }
    }

    /** Whether somebody runs us with a right that is not his, as setuid does. */
    private static boolean isPrivilegeBorrowed()
    {
        try
        {
            for (final String line : Files.readAllLines(Path.of("/proc/self/status")))
            {
                if (line.startsWith("Uid:"))
                {
                    // Real, effective, saved and file-system user.
                    final String[] users = line.split("\\s+");
                    return !users[1].equals(users[2]);
                }
            }
            return false;
        }
        catch (final IOException e)
        {
            throw new ConfigException("/proc/self/status", "it cannot be read", "mount /proc");
        }
    }

    private void read(final String file)
    {
        final Rules rules = new Rules(file);
        read(file, rules, 0);
        lists.add(rules);
    }

    private static void read(final String file, final Rules rules, final int depth)
    {
        if (depth == MAX_DEPTH)
        {
            throw new ConfigException(file, "it is included " + MAX_DEPTH + " deep", "include fewer files in files");
        }
        int number = 0;
        for (final String line : text(file).split("\n", -1))
        {
            number++;
            final String words = line.replaceFirst("#.*", "").strip();
            if (!words.isEmpty())
            {
                rule(file + ":" + number, words.split("\\s+"), rules, depth);
            }
        }
    }

    private static void rule(final String place, final String[] words, final Rules rules, final int depth)
    {
        if (2 != words.length)
        {
            throw new ConfigException(
                place, words.length + " words instead of two", "write for example: allow br0");
        }
        switch (words[0])
        {
            case "allow":
                rules.allowed.add(words[1]);
                break;
            case "deny":
                rules.denied.add(words[1]);
                break;
            case "include":
                read(Path.of(rules.file).resolveSibling(words[1]).toString(), rules, depth + 1);
                break;
            default:
                throw new ConfigException(place, "'" + words[0] + "' is none of allow, deny, include",
                    "write for example: allow br0");
        }
    }

    private static String text(final String file)
    {
        final Path path = Path.of(file);
        try
        {
            if (0 != ((Integer)Files.getAttribute(path, "unix:mode") & WRITABLE_BY_OTHERS))
            {
                throw new ConfigException(file, "its group or others may write to it", "run: chmod go-w " + file);
            }
            if (!Files.isRegularFile(path) || Files.size(path) > MAX_FILE)
            {
                throw new ConfigException(
                    file, "not a file of at most " + MAX_FILE + " bytes", "name a list of bridges");
            }
            return Files.readString(path, StandardCharsets.UTF_8);
        }
        catch (final IOException e)
        {
            throw new ConfigException(file, "the list of bridges cannot be read (" + e + ")",
                "make it, with lines such as: allow br0");
        }
    }
}
