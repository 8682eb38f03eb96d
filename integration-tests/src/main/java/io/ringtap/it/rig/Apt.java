package io.ringtap.it.rig;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.regex.Pattern;

/** The package manager, driven without questions and without noise. */
final class Apt
{
    private static final Duration LIMIT = Duration.ofMinutes(15);
    private static final Map<String, String> QUIET = Map.of("DEBIAN_FRONTEND", "noninteractive", "LC_ALL", "C");
    private static final Path LISTS = Path.of("/var/lib/apt/lists");

    private final Map<String, String> environment;
    private final Path lists;
    private boolean updated;

    private Apt(final Map<String, String> environment, final Path lists)
    {
        this.environment = environment;
        this.lists = lists;
    }

    /** The machine's own configuration. */
    static Apt system()
    {
        return new Apt(QUIET, LISTS);
    }

    /** A configuration of its own with one source; leaves the machine's untouched. */
    static Apt beside(final Path directory, final String source)
    {
        HostFiles.directories(directory.resolve("lists/partial"));
        HostFiles.directories(directory.resolve("cache/archives/partial"));
        HostFiles.write(directory.resolve("sources.list"), source + "\n");
        HostFiles.write(directory.resolve("apt.conf"),
            "Dir::Etc::sourcelist \"" + directory.resolve("sources.list") + "\";\n" +
            "Dir::Etc::sourceparts \"-\";\n" +
            "Dir::State::lists \"" + directory.resolve("lists") + "\";\n" +
            "Dir::Cache \"" + directory.resolve("cache") + "\";\n");
        return new Apt(Map.of("DEBIAN_FRONTEND", "noninteractive", "LC_ALL", "C",
            "APT_CONFIG", directory.resolve("apt.conf").toString()), directory.resolve("lists"));
    }

    static boolean exists()
    {
        return null != Shell.find("apt-get") && null != Shell.find("dpkg");
    }

    /** A package whose name is {@code prefix} and a number, or {@code otherwise} when the lists have none. */
    static String nameThatBegins(final String prefix, final String otherwise)
    {
        return Shell.run("apt-cache", "pkgnames", prefix).output().lines()
            .filter(name -> name.matches(Pattern.quote(prefix) + "\\d+")).findFirst().orElse(otherwise);
    }

    /** Fetches the package lists once. A stale list is told by a failed install, see {@link #install}. */
    void update()
    {
        if (!updated)
        {
            get(List.of("update"));
            updated = true;
        }
    }

    void install(final List<String> packages)
    {
        final List<String> arguments = new ArrayList<>(List.of("install", "-y", "--no-install-recommends"));
        arguments.addAll(packages);
        if (!hasLists())
        {
            update();
        }
        try
        {
            get(arguments);
        }
        catch (final RigException ex)
        {
            if (updated)
            {
                throw ex;
            }
            update();
            get(arguments);
        }
    }

    /** Downloads packages into a directory without installing them, and unpacks them under {@code root}. */
    void unpack(final List<String> packages, final Path downloads, final Path root)
    {
        HostFiles.directories(downloads);
        final List<String> command = new ArrayList<>(List.of("sh", "-c", "cd \"$0\" && exec apt-get download -qq " +
            "-o APT::Sandbox::User=root \"$@\"", downloads.toString()));
        command.addAll(packages);
        Shell.check(LIMIT, environment, command);
        for (final Path file : HostFiles.list(downloads))
        {
            if (file.toString().endsWith(".deb"))
            {
                Shell.check("dpkg", "-x", file.toString(), HostFiles.directories(root).toString());
            }
        }
    }

    /** The version that would be installed, or null. */
    String candidate(final String name)
    {
        final Shell.Result result = Shell.run(LIMIT, environment, List.of("apt-cache", "policy", name));
        return result.output().lines().map(String::strip).filter(line -> line.startsWith("Candidate:"))
            .map(line -> line.substring("Candidate:".length()).strip()).filter(version -> !version.equals("(none)"))
            .findFirst().orElse(null);
    }

    /** Versions of a package in the lists, newest first, whether or not they would be chosen. */
    List<String> versions(final String name)
    {
        final Shell.Result result = Shell.run(LIMIT, environment, List.of("apt-cache", "madison", name));
        return result.output().lines().map(line -> line.split("\\|")).filter(columns -> 3 == columns.length)
            .map(columns -> columns[1].strip()).distinct().toList();
    }

    /** The first package that a meta package depends on. */
    String firstDependency(final String name)
    {
        final Shell.Result result = Shell.run(LIMIT, environment, List.of("apt-cache", "depends", name));
        return result.output().lines().map(String::strip).filter(line -> line.startsWith("Depends:"))
            .map(line -> line.substring("Depends:".length()).strip()).findFirst().orElse(null);
    }

    private void get(final List<String> arguments)
    {
        final List<String> command = new ArrayList<>(List.of("apt-get", "-qq", "-o", "DPkg::Lock::Timeout=600",
            "-o", "Dpkg::Use-Pty=0", "-o", "Acquire::Retries=3"));
        command.addAll(arguments);
        Shell.check(LIMIT, environment, command);
    }

    private boolean hasLists()
    {
        try (var entries = Files.list(lists))
        {
            return entries.anyMatch(file -> file.toString().endsWith("_Packages") ||
                file.toString().endsWith("_Packages.lz4"));
        }
        catch (final IOException ex)
        {
            return false;
        }
    }
}
