package io.ringtap.it.rig;

import java.nio.file.Path;

/** Where things are: what the build passes as system properties, with defaults for a run out of an IDE. */
public final class Settings
{
    private Settings()
    {
    }

    /** The checkout: holds the launcher and the modules. */
    public static Path root()
    {
        return Path.of(System.getProperty("ringtap.root", "..")).toAbsolutePath().normalize();
    }

    /** The jar under test, as it ships. */
    public static Path jar()
    {
        final String named = System.getProperty("ringtap.jar");
        return null == named ? root().resolve("vhost-backend/target/ringtap.jar") : Path.of(named);
    }

    /** Logs of every process of every test class; kept until the next {@code mvn clean}. */
    public static Path output()
    {
        return Path.of(System.getProperty("ringtap.it.output", "target/it")).toAbsolutePath();
    }

    /** Kernels, guest images and unpacked QEMUs, keyed by version; shared by all checkouts of a user. */
    public static Path cache()
    {
        final String named = System.getProperty("ringtap.it.cache");
        return null == named ? Path.of(System.getProperty("user.home"), ".cache", "ringtap-it") : Path.of(named);
    }

    /** TCG works everywhere; {@code -Dringtap.it.accel=kvm} where the machine has it. */
    public static String accelerator()
    {
        return System.getProperty("ringtap.it.accel", "tcg,thread=multi");
    }

    /** In CI nothing that is missing may pass for a success. */
    public static boolean isCi()
    {
        return "true".equals(System.getenv("CI"));
    }
}
