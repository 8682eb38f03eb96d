package io.ringtap.vhost.metrics;

import io.prometheus.metrics.model.snapshots.Labels;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.stream.Stream;

/** The process itself, under the names that Prometheus's own libraries give, from procfs. */
final class ProcessMetrics
{
    private static final Path SELF = Path.of("/proc/self");
    /** Linux tells user space times in hundredths of a second, whatever the kernel's own clock does (USER_HZ). */
    private static final double TICKS_A_SECOND = 100;
    private static final int PAGE = 4096;
    /** Fields of /proc/self/stat behind the name in parentheses: utime is the 14th of all, stime the 15th. */
    private static final int UTIME = 11;
    private static final int STIME = 12;

    private ProcessMetrics()
    {
    }

    static void add(final Exposition to)
    {
        final String version = ProcessMetrics.class.getPackage().getImplementationVersion();
        to.info("ringtap_build", "The version that runs.", Labels.of(
            "version", null == version ? "unknown" : version, "java", System.getProperty("java.version")));
        to.gauge("process_start_time_seconds", "When the process started, since 1970.", Labels.EMPTY,
            ProcessHandle.current().info().startInstant().map((start) -> start.toEpochMilli() / 1e3).orElse(0.0));
        try
        {
            final String stat = Files.readString(SELF.resolve("stat"));
            final String[] fields = stat.substring(stat.lastIndexOf(')') + 2).split(" ");
            to.counter("process_cpu_seconds", "Processor time used.", Labels.EMPTY,
                (Long.parseLong(fields[UTIME]) + Long.parseLong(fields[STIME])) / TICKS_A_SECOND);
            final String[] memory = Files.readString(SELF.resolve("statm")).split(" ");
            to.gauge("process_resident_memory_bytes", "Resident memory, the guest's shared memory included.",
                Labels.EMPTY, (double)Long.parseLong(memory[1]) * PAGE);
            try (Stream<Path> descriptors = Files.list(SELF.resolve("fd")))
            {
                to.gauge("process_open_fds", "Open descriptors.", Labels.EMPTY, descriptors.count());
            }
        }
        catch (final IOException | RuntimeException ex)
        {
            // Without procfs, as in some sandboxes, these are left out; everything else is told.
            to.gauge("ringtap_procfs_missing", "1 when /proc cannot be read.", Labels.EMPTY, 1);
        }
    }
}
