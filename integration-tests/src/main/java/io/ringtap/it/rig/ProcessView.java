package io.ringtap.it.rig;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Looks at a process from outside, through /proc: descriptors, mappings, memory, processor time, wake-ups. */
public final class ProcessView
{
    /** USER_HZ, fixed by the kernel's interface. */
    private static final int TICKS_PER_SECOND = 100;
    private static final int USER_TIME_FIELD = 11;

    private final Path directory;

    public ProcessView(final long pid)
    {
        this.directory = Path.of("/proc", Long.toString(pid));
    }

    /** What its open descriptors point to, sorted; numbers of anonymous files are cut off. */
    public List<String> descriptors()
    {
        final List<String> targets = new ArrayList<>();
        for (final Path link : HostFiles.list(directory.resolve("fd")))
        {
            try
            {
                targets.add(Files.readSymbolicLink(link).toString().replaceFirst(":\\[\\d+\\]", ""));
            }
            catch (final IOException ex)
            {
                // Closed while we looked.
                continue;
            }
        }
        Collections.sort(targets);
        return targets;
    }

    /** Number of mappings whose line in maps matches. */
    public long mappings(final String pattern)
    {
        final Pattern compiled = Pattern.compile(pattern);
        return HostFiles.read(directory.resolve("maps")).lines().filter(line -> compiled.matcher(line).find()).count();
    }

    public long residentKib()
    {
        return status("VmRSS");
    }

    /** What is resident besides memory shared with others, such as that of a guest. */
    public long ownResidentKib()
    {
        return status("RssAnon") + status("RssFile");
    }

    /** User and system time so far, in milliseconds. */
    public long processorTimeMs()
    {
        final String stat = HostFiles.read(directory.resolve("stat"));
        final String[] fields = stat.substring(stat.lastIndexOf(')') + 2).split(" ");
        return (Long.parseLong(fields[USER_TIME_FIELD]) + Long.parseLong(fields[USER_TIME_FIELD + 1])) *
            (1000 / TICKS_PER_SECOND);
    }

    /** How often threads went to sleep by themselves; a name filters threads by their kernel name. */
    public long voluntarySwitches(final String threadName)
    {
        long sum = 0;
        final Pattern compiled = Pattern.compile(threadName);
        for (final Path thread : HostFiles.list(directory.resolve("task")))
        {
            if (compiled.matcher(HostFiles.read(thread.resolve("comm")).strip()).find())
            {
                final Matcher matcher = Pattern.compile("voluntary_ctxt_switches:\\s*(\\d+)")
                    .matcher(HostFiles.read(thread.resolve("status")));
                sum += matcher.find() ? Long.parseLong(matcher.group(1)) : 0;
            }
        }
        return sum;
    }

    /** Every thread's name with its voluntary switches, for a failure message. */
    public List<String> threads()
    {
        final List<String> lines = new ArrayList<>();
        for (final Path thread : HostFiles.list(directory.resolve("task")))
        {
            final Matcher matcher = Pattern.compile("voluntary_ctxt_switches:\\s*(\\d+)")
                .matcher(HostFiles.read(thread.resolve("status")));
            lines.add(HostFiles.read(thread.resolve("comm")).strip() + "=" + (matcher.find() ? matcher.group(1) : "?"));
        }
        return lines;
    }

    private long status(final String field)
    {
        final Matcher matcher = Pattern.compile("(?m)^" + field + ":\\s*(\\d+)")
            .matcher(HostFiles.read(directory.resolve("status")));
        if (!matcher.find())
        {
            throw new RigException("no " + field + " in " + directory.resolve("status"));
        }
        return Long.parseLong(matcher.group(1));
    }
}
