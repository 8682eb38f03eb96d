package io.ringtap.it.rig;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.ArrayList;
import java.util.List;

/** A newer QEMU from the backports of the Debian release at hand, unpacked beside the installed one. */
final class QemuBackport
{
    private static final int NEW_ENOUGH = 10;
    private static final List<String> PACKAGES = List.of("qemu-system-x86", "qemu-system-common", "qemu-system-data",
        "seabios");

    private QemuBackport()
    {
    }

    /** The newer QEMU, or null with a line that says why there is none. The caller holds the cache's lock. */
    static QemuBinary provide(final Path cache, final QemuBinary installed) throws IOException
    {
        if (installed.major() >= NEW_ENOUGH)
        {
            return null;
        }
        final List<Path> ready = HostFiles.list(cache).stream()
            .filter(path -> path.getFileName().toString().startsWith("qemu-"))
            .filter(path -> Files.exists(path.resolve("complete"))).toList();
        try
        {
            final Path root = ready.isEmpty() ? fetch(cache) : ready.get(ready.size() - 1);
            final Path share = root.resolve("root/usr/share");
            return QemuBinary.of(root.resolve("root/usr/bin/qemu-system-x86_64"),
                List.of(share.resolve("qemu"), share.resolve("seabios")));
        }
        catch (final RigException ex)
        {
            Progress.say("no newer QEMU to be had, tests run on " + installed + " only: " + firstLine(ex));
            return null;
        }
    }

    private static Path fetch(final Path cache) throws IOException
    {
        final String release = Shell.check("sh", "-c", ". /etc/os-release && printf %s \"$VERSION_CODENAME\"");
        final String source = AptSources.sibling(release, release + "-backports");
        if (null == source)
        {
            throw new RigException("no Debian mirror among the sources of apt");
        }
        final Path work = cache.resolve("qemu.tmp");
        HostFiles.deleteTree(work);
        final Apt apt = Apt.beside(work.resolve("apt"), source);
        apt.update();
        final List<String> wanted = new ArrayList<>();
        for (final String name : PACKAGES)
        {
            final List<String> backports = apt.versions(name).stream().filter(text -> text.contains("~bpo")).toList();
            if (!backports.isEmpty())
            {
                wanted.add(name + "=" + backports.get(0));
            }
        }
        if (wanted.isEmpty() || !wanted.get(0).startsWith(PACKAGES.get(0)))
        {
            throw new RigException("no " + PACKAGES.get(0) + " in " + release + "-backports");
        }
        final String version = wanted.get(0).replaceFirst(".*=(\\d+:)?", "");
        Progress.say("downloading QEMU " + version + " from " + release + "-backports");
        apt.unpack(wanted, work.resolve("debs"), work.resolve("root"));
        HostFiles.deleteTree(work.resolve("apt"));
        HostFiles.deleteTree(work.resolve("debs"));
        final String libraries = Shell.check("ldd", work.resolve("root/usr/bin/qemu-system-x86_64").toString());
        if (libraries.contains("not found"))
        {
            throw new RigException("QEMU " + version + " lacks libraries here: " +
                libraries.lines().filter(line -> line.contains("not found")).toList());
        }
        HostFiles.write(work.resolve("complete"), version);
        final Path directory = cache.resolve("qemu-" + version);
        HostFiles.deleteTree(directory);
        Files.move(work, directory, StandardCopyOption.ATOMIC_MOVE);
        return directory;
    }

    private static String firstLine(final RuntimeException failure)
    {
        return failure.getMessage().lines().findFirst().orElse("");
    }
}
