package io.ringtap.bench.harness;

import io.ringtap.bench.report.Json;
import io.ringtap.it.rig.HostFiles;
import io.ringtap.it.rig.Shell;

import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** What the benchmarks run on, and what a system call and another core cost there at the moment. */
public final class Machine
{
    private final CPrograms programs;
    private final Settings settings;

    public Machine(final CPrograms programs, final Settings settings)
    {
        this.programs = programs;
        this.settings = settings;
    }

    /** The costs that decide speed. */
    public record Costs(double systemCallNs, double coreToCoreNs)
    {
    }

    /** Measured now; takes a few milliseconds on a quiet machine. */
    public Costs costs()
    {
        final String line = Shell.check(programs.path("cost").toString(), Integer.toString(settings.backCpu()),
            Integer.toString(settings.frontCpu()));
        final Map<String, Object> found = Json.object(Json.parse(line));
        return new Costs(Json.number(found.get("systemCallNs")), Json.number(found.get("coreToCoreNs")));
    }

    /** Facts for a reader of the results; the load tells whether others were at work as well. */
    public static Map<String, String> facts()
    {
        final Map<String, String> facts = new LinkedHashMap<>();
        facts.put("cpu", first("/proc/cpuinfo", "model name\\s*:\\s*(.*)") + ", " +
            Runtime.getRuntime().availableProcessors() + " cores" +
            (HostFiles.read(Path.of("/proc/cpuinfo")).contains(" hypervisor") ? ", virtual" : ""));
        facts.put("kernel", System.getProperty("os.name") + " " + System.getProperty("os.version"));
        facts.put("system", first("/etc/os-release", "PRETTY_NAME=\"?([^\"\n]*)"));
        facts.put("java", System.getProperty("java.vm.name") + " " + System.getProperty("java.vm.version"));
        facts.put("load", first("/proc/loadavg", "(\\S+)"));
        return facts;
    }

    private static String first(final String file, final String pattern)
    {
        final Matcher matcher = Pattern.compile(pattern).matcher(HostFiles.read(Path.of(file)));
        return matcher.find() ? matcher.group(1).strip() : "unknown";
    }
}
