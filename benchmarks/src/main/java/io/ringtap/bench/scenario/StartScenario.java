package io.ringtap.bench.scenario;

import io.ringtap.bench.guest.BareJvm;
import io.ringtap.bench.harness.Bed;
import io.ringtap.bench.harness.Comparison;
import io.ringtap.bench.harness.Row;
import io.ringtap.bench.harness.Rows;
import io.ringtap.bench.harness.Sample;
import io.ringtap.bench.harness.Scenario;
import io.ringtap.bench.harness.Side;
import io.ringtap.it.rig.HostFiles;
import io.ringtap.it.rig.HostProcess;
import io.ringtap.it.rig.Jdks;
import io.ringtap.it.rig.ProcessView;
import io.ringtap.it.rig.RigException;
import io.ringtap.it.rig.Ringtap;
import io.ringtap.it.rig.Settings;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.locks.LockSupport;

/** How long a guest waits for its network at the start. */
final class StartScenario implements Scenario
{
    private static final long LOOK_NS = 500_000;
    private static final long LIMIT_NS = 60_000_000_000L;

    @Override
    public String name()
    {
        return "start";
    }

    @Override
    public String title()
    {
        return "Start to listening socket";
    }

    @Override
    public String about()
    {
        return "From the start of the process to the socket's file: the launcher with its class-data archive, the " +
            "jar alone, and a Java program that only opens a UNIX socket with what the JDK has, as the floor. Wall " +
            "time, then processor time of the process at that moment (in steps of 10 ms).";
    }

    @Override
    public boolean needsPeers()
    {
        return false;
    }

    @Override
    public List<Row> run(final Bed bed)
    {
        final Rows rows = new Rows(bed);
        for (final boolean isCpu : new boolean[]{false, true})
        {
            final String name = isCpu ? "processor time" : "wall time";
            rows.add(name, () ->
            {
                final Comparison comparison = Comparison.less(bed, name, "ms");
                comparison.side(start(bed, "./ringtap", isCpu, launcher()));
                comparison.side(start(bed, "java -jar", isCpu, Ringtap.command(Jdks.current())));
                comparison.side(start(bed, "bare JVM", isCpu, bare()));
                return comparison.goal(500).run();
            });
        }
        return rows.list();
    }

    private static List<String> launcher()
    {
        return List.of(Settings.root().resolve("ringtap").toString());
    }

    private static List<String> bare()
    {
        return List.of(Jdks.current().resolve("bin/java").toString(), "-XX:+UseSerialGC", "-Xms8m", "-Xmx128m",
            "-XX:-UsePerfData", "-cp", System.getProperty("java.class.path"), BareJvm.class.getName());
    }

    private static Side start(final Bed bed, final String label, final boolean isCpu, final List<String> command)
    {
        return new Side(label)
        {
            @Override
            public Sample measure(final double seconds)
            {
                return Sample.of(toSocket(bed, command, isCpu));
            }
        };
    }

    private static double toSocket(final Bed bed, final List<String> command, final boolean isCpu)
    {
        final String name = bed.unique("start");
        final Path socket = bed.lab().socket(name);
        final List<String> words = new ArrayList<>(command);
        words.add("--socket-path=" + socket);
        words.add("--null");
        final long startNs = System.nanoTime();
        try (HostProcess process = HostProcess.start(name, bed.lab().log(name), words))
        {
            while (!Files.exists(socket))
            {
                if (!process.isAlive() || System.nanoTime() - startNs > LIMIT_NS)
                {
                    throw new RigException("no socket\n" + HostFiles.tail(process.log(), 10));
                }
                LockSupport.parkNanos(LOOK_NS);
            }
            final long cpuMs = new ProcessView(process.pid()).processorTimeMs();
            return isCpu ? cpuMs : (System.nanoTime() - startNs) / 1e6;
        }
        finally
        {
            HostFiles.delete(socket);
        }
    }
}
