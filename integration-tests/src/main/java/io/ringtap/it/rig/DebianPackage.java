package io.ringtap.it.rig;

import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;

/** The Debian package, built as the documentation says, from the jar under test. */
public final class DebianPackage
{
    private static final Duration LIMIT = Duration.ofMinutes(5);

    private static Path built;

    private DebianPackage()
    {
    }

    /** Builds it, once; compressed fast, since it does not travel. */
    public static synchronized Path build()
    {
        if (null == built)
        {
            built = make();
        }
        return built;
    }

    private static Path make()
    {
        Provision.files(Map.of(Path.of("/usr/bin/mvn"), "maven"));
        final Path root = Settings.root();
        Shell.check(LIMIT, Map.of("JAVA_HOME", Jdks.current().toString()), List.of("mvn", "-q", "-B", "-f",
            root.resolve("pom.xml").toString(), "-Pdeb", "-pl", "packaging", "package", "-Ddeb.compression=gzip"));
        final Path file = root.resolve("packaging/target/ringtap.deb");
        if (!Files.exists(file))
        {
            throw new RigException("no package at " + file);
        }
        return file;
    }

    /** The same content as another version. */
    public static Path withVersion(final Path original, final String version, final Path directory)
    {
        final Path tree = directory.resolve("tree");
        final Path renamed = directory.resolve("ringtap-" + version + ".deb");
        Shell.check("dpkg-deb", "--raw-extract", original.toString(), tree.toString());
        Shell.check("sed", "-i", "s/^Version: .*/Version: " + version + "/", tree.resolve("DEBIAN/control").toString());
        Shell.check("dpkg-deb", "-Znone", "--root-owner-group", "--build", tree.toString(), renamed.toString());
        HostFiles.deleteTree(tree);
        return renamed;
    }
}
