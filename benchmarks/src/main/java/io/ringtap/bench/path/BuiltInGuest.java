package io.ringtap.bench.path;

import io.ringtap.bench.harness.Bed;
import io.ringtap.it.rig.HostProcess;
import io.ringtap.it.rig.Jdks;

import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Our own front-end in a process of its own: needs nothing installed, and sends what DPDK's generator cannot. */
public final class BuiltInGuest implements FrontEnd
{
    private static final String MAIN = "io.ringtap.bench.guest.GuestMain";
    private static final Duration LIMIT = Duration.ofSeconds(60);
    private static final Pattern READY = Pattern.compile("(?m)^ready$");
    private static final Pattern ANSWER = Pattern.compile("(?m)^sent (\\d+) received (\\d+)$");

    private final HostProcess process;

    private BuiltInGuest(final HostProcess process)
    {
        this.process = process;
    }

    /** @param options as {@code GuestMain} takes them. */
    public static BuiltInGuest connect(final Bed bed, final Path socket, final String... options)
    {
        final List<String> command = new ArrayList<>(bed.pinned(bed.settings().frontCpu(),
            Jdks.current().resolve("bin/java").toString(), "-XX:+UseSerialGC", "-Xms16m", "-Xmx128m",
            "-XX:-UsePerfData", "-Dagrona.disable.bounds.checks=true", "-Djffi.unsafe.disabled=true",
            "-Dringtap.log.level=warn",
            "--add-opens", "java.base/jdk.internal.misc=ALL-UNNAMED",
            "--add-opens", "java.base/java.lang.reflect=ALL-UNNAMED",
            "--add-exports", "java.base/jdk.internal.ref=ALL-UNNAMED",
            "--add-exports", "java.base/sun.nio.ch=ALL-UNNAMED",
            "-cp", System.getProperty("java.class.path"), MAIN, "socket=" + socket));
        command.addAll(List.of(options));
        final HostProcess process =
            bed.lab().start(bed.unique("guest"), command.toArray(String[]::new));
        process.await(READY, 0, LIMIT);
        return new BuiltInGuest(process);
    }

    @Override
    public void start()
    {
        ask("start");
    }

    @Override
    public void stop()
    {
        ask("stop");
    }

    @Override
    public long sent()
    {
        return Long.parseLong(ask("count").group(1));
    }

    @Override
    public long received()
    {
        return Long.parseLong(ask("count").group(2));
    }

    @Override
    public void close()
    {
        if (process.isAlive())
        {
            process.type("quit");
            process.exitCode(LIMIT);
        }
        process.close();
    }

    private Matcher ask(final String word)
    {
        final int from = process.output().length();
        process.type(word);
        return process.await(ANSWER, from, LIMIT);
    }
}
