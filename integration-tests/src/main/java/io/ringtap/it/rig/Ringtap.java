package io.ringtap.it.rig;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;

/** The backend under test, as a user runs it: the shipped jar in a Java process of its own, inside the namespace. */
public final class Ringtap implements AutoCloseable
{
    private static final Duration START_LIMIT = Duration.ofSeconds(60);
    private static final Duration END_LIMIT = Duration.ofSeconds(60);

    private final HostProcess process;
    private final Path socket;

    private Ringtap(final HostProcess process, final Path socket)
    {
        this.process = process;
        this.socket = socket;
    }

    /** Serves one NIC on {@code socket}; returns when it listens. */
    public static Ringtap serve(final Lab lab, final String name, final Path socket, final String... options)
    {
        return serve(lab, name, Jdks.current(), socket, options);
    }

    /** As {@link #serve(Lab, String, Path, String...)} on another Java. */
    public static Ringtap serve(
        final Lab lab, final String name, final Path jdk, final Path socket, final String... options)
    {
        return serve(lab, name, command(jdk), socket, options);
    }

    /** As {@link #serve(Lab, String, Path, String...)} with another command line up to the options. */
    public static Ringtap serve(
        final Lab lab, final String name, final List<String> launch, final Path socket, final String... options)
    {
        final List<String> command = new ArrayList<>(launch);
        command.add("--socket-path=" + socket);
        command.addAll(List.of(options));
        final String before = identity(socket);
        final HostProcess process = HostProcess.start(name, lab.log(name), lab.netns().inside(command));
        final Ringtap started = lab.own(new Ringtap(process, socket));
        Await.until(() -> "the socket " + socket + " of " + name + "\n" + HostFiles.tail(process.log(), 30),
            START_LIMIT, () ->
            {
                if (!process.isAlive())
                {
                    throw new RigException(name + " ended before it listened\n" + HostFiles.tail(process.log(), 30));
                }
                // A killed backend leaves its socket file, so that a file alone says nothing.
                final String now = identity(socket);
                return null != now && !now.equals(before);
            });
        return started;
    }

    /** A successor of a backend that runs, with the same options; returns when that one has ended, as it should. */
    public static Ringtap takeOver(
        final Lab lab, final String name, final Ringtap running, final String... options)
    {
        final List<String> command = command(Jdks.current());
        command.addAll(List.of("--takeover", "--socket-path=" + running.socket));
        command.addAll(List.of(options));
        final HostProcess process = HostProcess.start(name, lab.log(name), lab.netns().inside(command));
        final Ringtap started = lab.own(new Ringtap(process, running.socket));
        Await.until(() -> "the end of the one before " + name + "\n" + HostFiles.tail(process.log(), 30), START_LIMIT,
            () -> !running.process.isAlive());
        if (0 != running.process.exitCode(END_LIMIT))
        {
            throw new RigException("exit code " + running.process.exitCode(END_LIMIT) + " after it handed over\n" +
                HostFiles.tail(running.process.log(), 30));
        }
        return started;
    }

    /** Serves the NICs of a configuration file; returns when it listens on all sockets. */
    public static Ringtap config(final Lab lab, final String name, final Path file, final Path... sockets)
    {
        return configOn(Jdks.current(), lab, name, file, sockets);
    }

    /** As {@link #config(Lab, String, Path, Path...)} on another Java. */
    public static Ringtap configOn(
        final Path jdk, final Lab lab, final String name, final Path file, final Path... sockets)
    {
        final List<String> command = command(jdk);
        command.add("--config=" + file);
        final HostProcess process = HostProcess.start(name, lab.log(name), lab.netns().inside(command));
        final Ringtap started = lab.own(new Ringtap(process, sockets[0]));
        Await.until(() -> "the sockets of " + name + "\n" + HostFiles.tail(process.log(), 30), START_LIMIT, () ->
        {
            if (!process.isAlive())
            {
                throw new RigException(name + " ended before it listened\n" + HostFiles.tail(process.log(), 30));
            }
            return Arrays.stream(sockets).allMatch(Files::exists);
        });
        return started;
    }

    /** Connects to a front-end that listens on {@code socket}, now or later; returns at once. */
    public static Ringtap connect(final Lab lab, final String name, final Path socket, final String... options)
    {
        final List<String> command = command(Jdks.current());
        command.addAll(List.of("--client", "--socket-path=" + socket));
        command.addAll(List.of(options));
        final HostProcess process = HostProcess.start(name, lab.log(name), lab.netns().inside(command));
        return lab.own(new Ringtap(process, socket));
    }

    /** Runs it to its end, inside the namespace, and returns what came out. */
    public static Shell.Result run(final Lab lab, final String... options)
    {
        final List<String> command = command(Jdks.current());
        command.addAll(List.of(options));
        return Shell.run(END_LIMIT, Map.of(), lab.netns().inside(command));
    }

    /** The command line up to the options. */
    public static List<String> command(final Path jdk)
    {
        final Path jar = Settings.jar();
        if (!Files.exists(jar))
        {
            throw new RigException("no jar to test at " + jar + "; build it with: mvn package");
        }
        return command(jdk, jar);
    }

    /** As {@link #command(Path)}, for a copy of the jar. What the launcher adds for this Java is added here too. */
    public static List<String> command(final Path jdk, final Path jar)
    {
        final List<String> command = new ArrayList<>(List.of(jdk.resolve("bin/java").toString(),
            "-XX:+UseSerialGC", "-Xms8m", "-Xmx128m", "-XX:-UsePerfData"));
        final String release = HostFiles.read(jdk.resolve("release"));
        if (release.matches("(?s).*JAVA_VERSION=\"(2[4-9]|[3-9]\\d).*"))
        {
            command.add("--sun-misc-unsafe-memory-access=allow");
        }
        if (release.matches("(?s).*JAVA_VERSION=\"(17\\.0\\.[1-9]\\d|21\\.0\\.([2-9]|1\\d)|2[2-9]|[3-9]\\d).*"))
        {
            command.add("-XX:TrimNativeHeapInterval=10000");
        }
        command.addAll(List.of("-jar", jar.toString()));
        return command;
    }

    public HostProcess process()
    {
        return process;
    }

    public ProcessView view()
    {
        return new ProcessView(process.pid());
    }

    /** SIGTERM; it must end by itself with 0 and take its socket with it. */
    public int terminate()
    {
        return process.terminate();
    }

    /** SIGKILL. */
    public void kill()
    {
        process.kill();
    }

    @Override
    public void close()
    {
        process.close();
        HostFiles.delete(socket);
    }

    /** The number alone does not tell a file from its predecessor: file systems use it again. */
    private static String identity(final Path path)
    {
        try
        {
            return Files.getAttribute(path, "unix:ino") + "@" + Files.getAttribute(path, "unix:ctime");
        }
        catch (final IOException ex)
        {
            return null;
        }
    }
}
