package io.ringtap.it.rig;

import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;

/** A program in C of ours, {@code integration-tests/src/main/c}, for a guest that has no library to link it with. */
public final class GuestProgram
{
    private static final Duration LIMIT = Duration.ofSeconds(120);
    private static final Path FOLDER = Settings.root().resolve("integration-tests/src/main/c");
    private static final int PORT = 5003;

    private final String name;
    private final Path binary;

    private GuestProgram(final String name, final Path binary)
    {
        this.name = name;
        this.binary = binary;
    }

    /** Compiles it; installs what that takes, as {@link Provision} does. */
    public static GuestProgram compile(final Lab lab, final String name)
    {
        Provision.files(Map.of(Path.of("/usr/bin/gcc"), "gcc", Path.of("/usr/lib/x86_64-linux-gnu/libc.a"),
            "libc6-dev"));
        final Path binary = lab.file(name);
        Shell.check(LIMIT, Map.of(), List.of("gcc", "-O2", "-Wall", "-Wextra", "-Werror", "-static", "-s", "-o",
            binary.toString(), FOLDER.resolve(name + ".c").toString()));
        return new GuestProgram(name, binary);
    }

    /** Sends it over the guest's own network. @return where it lies in the guest. */
    public String send(final Lab lab, final QemuGuest guest, final String hostAddress)
    {
        final String path = "/tmp/" + name;
        lab.start("send-" + name, "socat", "-u", "FILE:" + binary, "TCP-LISTEN:" + PORT + ",bind=" + hostAddress);
        lab.netns().awaitListener(PORT);
        final String digest = guest.check("nc " + hostAddress + " " + PORT + " </dev/null >" + path + "; chmod 755 " +
            path + "; sha256sum <" + path).split(" ")[0];
        if (!Shell.check("sha256sum", binary.toString()).startsWith(digest))
        {
            throw new RigException(name + " did not reach the guest whole");
        }
        return path;
    }
}
