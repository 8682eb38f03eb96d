package io.ringtap.bench.harness;

import io.ringtap.it.rig.Await;
import io.ringtap.it.rig.HostFiles;
import io.ringtap.it.rig.HostProcess;
import io.ringtap.it.rig.Lab;
import io.ringtap.it.rig.RigException;

import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;

/**
 * Where one benchmark takes place: a namespace of its own and everything started in it. Closing takes all of it away,
 * also after a failure.
 */
public final class Bed implements AutoCloseable
{
    private static final int FIRST_SUBNET = 10;
    private static final Duration DEVICE_LIMIT = Duration.ofSeconds(20);

    private final Lab lab;
    private final Settings settings;
    private final CPrograms programs;
    private final Machine machine;
    private final HostProcess anchor;
    private int subnet = FIRST_SUBNET;
    private int names;

    private Bed(final Lab lab, final Settings settings)
    {
        this.lab = lab;
        this.settings = settings;
        programs = new CPrograms();
        machine = new Machine(programs, settings);
        anchor = lab.start("anchor", "sleep", "infinity");
    }

    public static Bed open(final Class<?> scenario, final Settings settings)
    {
        return new Bed(Lab.open(scenario), settings);
    }

    public Lab lab()
    {
        return lab;
    }

    public Settings settings()
    {
        return settings;
    }

    public Machine machine()
    {
        return machine;
    }

    /** Path of a C program, compiled. */
    public String program(final String name)
    {
        return programs.path(name).toString();
    }

    /** A name that no other process or socket of this bed has. */
    public String unique(final String prefix)
    {
        return prefix + "-" + ++names;
    }

    /** Counters of an interface in the namespace, read without starting a process. */
    public DeviceCounters device(final String name)
    {
        return new DeviceCounters(Path.of("/proc", Long.toString(anchor.pid()), "net/dev"), name);
    }

    /** Gives an interface an address of a subnet of its own, brings it up and returns the subnet. */
    public Subnet raise(final String device)
    {
        final Subnet made = new Subnet("198.18." + subnet++);
        Await.until("the interface " + device, DEVICE_LIMIT, () -> lab.netns().hasInterface(device));
        lab.netns().up(device, made.host() + "/24");
        return made;
    }

    /** Runs a command in the namespace on a CPU: what comes back is the command line. */
    public List<String> pinned(final int cpu, final String... command)
    {
        final List<String> words = new ArrayList<>(List.of("taskset", "-c", Integer.toString(cpu)));
        words.addAll(List.of(command));
        return words;
    }

    /** Starts a program in the namespace on a CPU; it ends with the bed if not before. */
    public HostProcess startPinned(final String name, final int cpu, final String... command)
    {
        return lab.start(unique(name), pinned(cpu, command).toArray(String[]::new));
    }

    /** What failed, with the place of the logs. */
    public String explain(final RuntimeException failure)
    {
        return failure.getMessage() + "; logs: " + HostFiles.directories(lab.log("x").getParent());
    }

    @Override
    public void close()
    {
        try
        {
            lab.close();
        }
        catch (final RigException ex)
        {
            System.err.println("ringtap bench: " + ex.getMessage());
        }
    }

    /** A /24 of the range for tests of network devices. */
    public record Subnet(String prefix)
    {
        /** Ours. */
        public String host()
        {
            return prefix + ".1";
        }

        /** The guest's. */
        public String guest()
        {
            return prefix + ".2";
        }
    }
}
