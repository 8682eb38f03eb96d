package io.ringtap.it.rig;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.channels.FileChannel;
import java.nio.channels.FileLock;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.time.Duration;
import java.util.Map;
import java.util.List;

/**
 * A freshly installed Debian of this machine's release, without a Java and without anything of ours, as a directory.
 * Made once, kept in the cache, and never written to again.
 */
final class DebianRoot
{
    private static final Duration LIMIT = Duration.ofMinutes(10);
    /** What the package depends on, and what looks at the network. */
    private static final String PACKAGES = "systemd,libstdc++6,zlib1g,iproute2,iputils-ping";

    private DebianRoot()
    {
    }

    static Path provide()
    {
        Provision.files(Map.of(Path.of("/usr/bin/mmdebstrap"), "mmdebstrap",
            Path.of("/usr/bin/systemd-nspawn"), "systemd-container"));
        final String release = Shell.check("sh", "-c", ". /etc/os-release && printf %s \"$VERSION_CODENAME\"");
        final Path cache = HostFiles.directories(Settings.cache());
        final Path root = cache.resolve("debian-" + release + "-1");
        try (FileChannel channel = FileChannel.open(cache.resolve("debian.lock"), StandardOpenOption.CREATE,
            StandardOpenOption.WRITE);
            FileLock lock = channel.lock())
        {
            assert lock.isValid();
            if (!Files.isDirectory(root))
            {
                make(release, root);
            }
            return root;
        }
        catch (final IOException ex)
        {
            throw new UncheckedIOException(ex);
        }
    }

    private static void make(final String release, final Path root) throws IOException
    {
        final String source = AptSources.sibling(release, release);
        Requirement.demand(null != source, "no Debian mirror among the sources of apt: a fresh Debian cannot be made");
        Progress.say("making a fresh Debian (" + release + ")");
        final Path fresh = root.resolveSibling(root.getFileName() + ".tmp");
        Shell.check("rm", "-rf", "--one-file-system", fresh.toString());
        Shell.check(LIMIT, Map.of("LC_ALL", "C"), List.of("mmdebstrap", "--quiet", "--variant=minbase",
            "--include=" + PACKAGES, release, fresh.toString(), source));
        Files.move(fresh, root, StandardCopyOption.ATOMIC_MOVE);
    }
}
