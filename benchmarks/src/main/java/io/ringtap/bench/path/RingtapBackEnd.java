package io.ringtap.bench.path;

import io.ringtap.bench.harness.Bed;
import io.ringtap.it.rig.Jdks;
import io.ringtap.it.rig.ProcessView;
import io.ringtap.it.rig.Ringtap;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/** Ours, as it ships: the jar in a process of its own, its worker on the CPU of what is measured. */
public final class RingtapBackEnd implements BackEnd
{
    private final Ringtap ringtap;
    private final Path socket;

    private RingtapBackEnd(final Ringtap ringtap, final Path socket)
    {
        this.ringtap = ringtap;
        this.socket = socket;
    }

    /** @param words options of the backend; what begins with {@code -D} is a property of its JVM. */
    public static RingtapBackEnd serve(final Bed bed, final String... words)
    {
        return serveOn(bed, List.of(bed.settings().backCpu()), words);
    }

    /** As {@link #serve}, with its workers on these CPUs in turn; on any when there are none. */
    public static RingtapBackEnd serveOn(final Bed bed, final List<Integer> cpus, final String... words)
    {
        final String name = bed.unique("ringtap");
        final Path socket = bed.lab().socket(name);
        final List<String> launch = Ringtap.command(Jdks.current());
        launch.addAll(1, Arrays.stream(words).filter(RingtapBackEnd::isProperty).toList());
        final List<String> options = new ArrayList<>();
        if (!cpus.isEmpty())
        {
            options.add("--cpus=" + String.join(",", cpus.stream().map(String::valueOf).toList()));
        }
        Arrays.stream(words).filter(word -> !isProperty(word)).forEach(options::add);
        return new RingtapBackEnd(
            Ringtap.serve(bed.lab(), name, launch, socket, options.toArray(String[]::new)), socket);
    }

    @Override
    public Path socket()
    {
        return socket;
    }

    @Override
    public ProcessView view()
    {
        return ringtap.view();
    }

    @Override
    public void start()
    {
        // A kick wakes it.
    }

    @Override
    public void stop()
    {
        // It sleeps when nothing comes.
    }

    @Override
    public void close()
    {
        ringtap.close();
    }

    private static boolean isProperty(final String word)
    {
        return word.startsWith("-D") || word.startsWith("-X");
    }
}
