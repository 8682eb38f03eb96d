package io.ringtap.it.rig;

import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Somebody who follows a document from its top to its end, on a host of its own: a network namespace with its own
 * {@code /run}, an empty directory to work in, and {@code ringtap} on the path. What systemd does is done in a
 * {@link Container}, what a guest does in a real one.
 */
public final class DocReader
{
    private static final Duration LIMIT = Duration.ofSeconds(120);
    private static final Pattern SOCKET = Pattern.compile("--(?:socket-path|control)=(\\S+)");
    private static final Pattern METRICS = Pattern.compile("metrics on http");
    private static final Pattern EXIT = Pattern.compile("exits (\\d+)");
    private static final Pattern OUTPUT = Pattern.compile("prints /(.*)/");

    private final Lab lab;
    private final Path directory;
    private final HostProcess world;
    private Container container;
    private QemuGuest guest;
    private int started;

    public DocReader(final Lab lab)
    {
        this.lab = lab;
        directory = HostFiles.directories(lab.file("work").toAbsolutePath());
        final Path launcher = Settings.root().resolve("ringtap");
        Shell.check("mkdir", "-p", directory + "/bin");
        Shell.check("ln", "-sf", launcher.toString(), directory + "/bin/ringtap");
        Shell.check("ln", "-sf", launcher.toString(), directory + "/ringtap");
        world = lab.start("world", "sh", "-c", "mount --make-rprivate / && mount -t tmpfs rt-run /run && " +
            "echo ready && exec sleep infinity");
        // A line of its own: the log begins with the command, which has the word as well.
        world.await(Pattern.compile("(?m)^ready$"), 0, LIMIT);
    }

    /**
     * Does what the marker of a block says.
     *
     * @return whether it was run; false when it says that it is not.
     */
    public boolean follow(final DocBlock block)
    {
        final String marker = block.marker();
        final String verb = marker.split("[ ,:]")[0];
        switch (verb)
        {
            case "run" -> run(block);
            case "serve" -> block.commands().forEach(this::serve);
            case "file" -> HostFiles.write(directory.resolve(marker.substring("file ".length())), block.text());
            case "qemu" -> boot(block);
            case "guest" -> guest.check(String.join(" && ", block.commands()));
            case "container" -> inContainer(block);
            case "not" ->
            {
                return false;
            }
            default -> throw new RigException(block + ": what is to be done by \"" + marker + "\"?");
        }
        return true;
    }

    /** As a script of bash, which ends with the first command that fails. */
    private void run(final DocBlock block)
    {
        if (block.marker().startsWith("run after qemu"))
        {
            guest.close();
        }
        final Path script = directory.resolve("script");
        HostFiles.write(script, block.text());
        final Shell.Result result = Shell.run(LIMIT, Map.of(), inside("bash", "-eu", script.toString()));
        judge(block, result);
    }

    private static void judge(final DocBlock block, final Shell.Result result)
    {
        final Matcher exit = EXIT.matcher(block.marker());
        final int expected = exit.find() ? Integer.parseInt(exit.group(1)) : 0;
        final Matcher output = OUTPUT.matcher(block.marker());
        if (expected != result.exitCode() ||
            output.find() && !Pattern.compile(output.group(1), Pattern.DOTALL).matcher(result.output()).find())
        {
            throw new RigException(block + ": exit " + result.exitCode() + "\n" + block.text() + "\n" +
                result.output());
        }
    }

    /** Goes on while the reader does; the next step comes when its sockets are there. */
    private void serve(final String command)
    {
        final HostProcess process = lab.own(HostProcess.start("serve", lab.log("serve-" + started++),
            inside("sh", "-c", "exec " + command)));
        if (command.contains("--metrics="))
        {
            process.await(METRICS, 0, LIMIT);
        }
        final Matcher sockets = SOCKET.matcher(command);
        while (sockets.find())
        {
            final String socket = sockets.group(1);
            Await.until(() -> socket + " of\n" + process.output() +
                Shell.run(inside("ls", "-l", "/run").toArray(String[]::new)).output(), LIMIT, () ->
            {
                if (!process.isAlive())
                {
                    throw new RigException(command + " ended\n" + process.output());
                }
                return Shell.run(inside("test", "-S", socket).toArray(String[]::new)).isSuccess();
            });
        }
    }

    private void boot(final DocBlock block)
    {
        final List<String> words = new ArrayList<>(Arrays.asList(block.commands().get(0).split("\\s+")));
        guest = QemuGuest.plan().documented(words.subList(1, words.size()), inside()).boot(lab, "guest");
    }

    private void inContainer(final DocBlock block)
    {
        if (null == container)
        {
            container = Container.boot(lab, "rt-doc");
            container.copy(DebianPackage.build(), "/root/ringtap.deb");
        }
        final String file = "container file ";
        if (block.marker().startsWith(file))
        {
            container.write(block.marker().substring(file.length()), block.text());
        }
        else
        {
            judge(block, container.run("set -eu; cd /root\n" + block.text()));
        }
    }

    private List<String> inside(final String... command)
    {
        final List<String> wrapped = new ArrayList<>(List.of("nsenter", "--target", Long.toString(world.pid()),
            "--mount", "--net", "--wd=" + directory, "env", "PATH=" + directory + "/bin:" + System.getenv("PATH"),
            "LC_ALL=C.UTF-8"));
        wrapped.addAll(List.of(command));
        return wrapped;
    }
}
