package io.ringtap.it.rig;

import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;

/** A real guest: Debian's kernel under QEMU with one virtio NIC, driven over its serial port and QEMU's monitor. */
public final class QemuGuest implements AutoCloseable
{
    /** A quiet machine takes 3 to 6 s; both cores may be busy with a build. */
    public static final Duration BOOT_LIMIT = Duration.ofSeconds(90);
    public static final String MAC = "52:54:00:12:34:02";

    private static final Duration COMMAND_LIMIT = Duration.ofSeconds(60);
    private static final int MEMORY_MIB = 384;

    /** How the guest is built; each setter returns the plan itself. */
    public static final class Plan
    {
        private final Provision.Kit kit = Provision.kit();
        private QemuBinary qemu = kit.qemu();
        private int queues = 1;
        private String device = "";
        private String mac = MAC;
        private String memory = "memory-backend-memfd,share=on";
        private final List<String> network = new ArrayList<>();
        private Netns netns;
        private boolean isIncoming;
        private List<String> documented;
        private List<String> wrapper = List.of();
        private boolean hasIommu;

        public Plan qemu(final QemuBinary binary)
        {
            qemu = binary;
            return this;
        }

        /** Queue pairs, and as many CPUs; before the network is chosen. */
        public Plan queues(final int count)
        {
            queues = count;
            return this;
        }

        /** More properties of the device, each with a comma before it. */
        public Plan device(final String properties)
        {
            device = properties;
            return this;
        }

        /** Another address, where there are several guests. */
        public Plan mac(final String address)
        {
            mac = address;
            return this;
        }

        /** Another kind of memory, for example one that the backend cannot see. */
        public Plan memory(final String backend)
        {
            memory = backend;
            return this;
        }

        /** A vhost-user NIC on the backend's socket; QEMU connects again whenever the backend comes back. */
        public Plan vhostUser(final Path socket)
        {
            return vhostUser(socket, qemu.reconnectsInMilliseconds() ? ",reconnect-ms=100" : ",reconnect=1");
        }

        /** As {@link #vhostUser(Path)}, with other properties of the socket. */
        public Plan vhostUser(final Path socket, final String properties)
        {
            network.addAll(List.of("-chardev", "socket,id=backend,path=" + socket + properties,
                "-netdev", "vhost-user,id=net,chardev=backend,queues=" + queues));
            return this;
        }

        /** Waits for a guest that migrates here, instead of booting one. */
        public Plan incoming()
        {
            isIncoming = true;
            return this;
        }

        /** Puts the NIC behind an IOMMU of Intel's kind, whose translations devices keep themselves. */
        public Plan iommu()
        {
            hasIommu = true;
            return device(",iommu_platform=on,ats=on,disable-legacy=on" + device);
        }

        /** QEMU's own TAP, for comparison; QEMU then runs in the namespace. */
        public Plan tap(final Netns namespace, final String tap)
        {
            netns = namespace;
            network.addAll(List.of("-netdev", "tap,id=net,ifname=" + tap + ",script=no,downscript=no" +
                (queues > 1 ? ",queues=" + queues : "")));
            return this;
        }

        /**
         * The options that a document gives, in place of ours for machine, memory and network. What a reader has and we
         * have not is put right: KVM, and a disk, for which our kernel and image stand.
         *
         * @param options as in the document.
         * @param within  words in front of the command.
         */
        public Plan documented(final List<String> options, final List<String> within)
        {
            documented = options;
            wrapper = within;
            return this;
        }

        private List<String> documentedCommand(final Lab lab, final String name)
        {
            final String vectors = qemu.hasWorkingMsix() ? "" : ",vectors=0";
            final String text = String.join(" ", documented) + " ";
            final String replaced = text
                .replace("-accel kvm -cpu host", "-accel " + Settings.accelerator() + " -cpu max")
                .replace("-drive file=vm1.qcow2,if=virtio -nographic ", "")
                .replace("-device virtio-net-pci,", "-device virtio-net-pci,romfile=" + vectors + ",");
            if (replaced.contains("kvm") || replaced.contains("-drive") || replaced.equals(text))
            {
                throw new RigException("options that are not understood: " + text);
            }
            final List<String> command = new ArrayList<>(wrapper);
            command.addAll(qemu.command());
            command.addAll(List.of("-name", name, "-nodefaults", "-no-user-config", "-display", "none"));
            command.addAll(List.of(replaced.strip().split(" +")));
            command.addAll(bootOptions(lab, name));
            return command;
        }

        /** Kernel and image, and the ways to speak with both guest and QEMU. */
        private List<String> bootOptions(final Lab lab, final String name)
        {
            return List.of("-kernel", kit.kernel().toString(), "-initrd", kit.image().toString(),
                "-append", "console=ttyS0 quiet panic=-1 mitigations=off" + (hasIommu ? " intel_iommu=on" : ""),
                "-chardev", "file,id=console,append=on,path=" + lab.log(name + "-console"), "-serial",
                "chardev:console",
                "-chardev", "socket,id=agent,server=on,wait=off,path=" + lab.socket(name + ".agent"), "-serial",
                "chardev:agent",
                "-qmp", "unix:" + lab.socket(name + ".qmp") + ",server=on,wait=off");
        }

        private List<String> command(final Lab lab, final String name)
        {
            if (null != documented)
            {
                return documentedCommand(lab, name);
            }
            final List<String> command = new ArrayList<>(qemu.command());
            final String size = MEMORY_MIB + "M";
            command.addAll(List.of("-name", name, "-nodefaults", "-no-user-config", "-display", "none",
                "-M", "q35,memory-backend=mem", "-cpu", "max", "-accel", Settings.accelerator(),
                "-smp", Integer.toString(queues), "-m", size,
                "-object", memory + ",id=mem,size=" + size));
            command.addAll(bootOptions(lab, name));
            if (hasIommu)
            {
                command.addAll(List.of("-device", "intel-iommu,device-iotlb=on"));
            }
            command.addAll(network);
            command.addAll(List.of("-device", "virtio-net-pci,netdev=net,romfile=,mac=" + mac + multiQueue() + device));
            if (isIncoming)
            {
                command.addAll(List.of("-incoming", "defer"));
            }
            return null == netns ? command : netns.inside(command);
        }

        private String multiQueue()
        {
            final String vectors = qemu.hasWorkingMsix() ? "" : ",vectors=0";
            if (1 == queues)
            {
                return vectors;
            }
            return ",mq=on" + (vectors.isEmpty() ? ",vectors=" + (2 * queues + 2) : vectors);
        }

        /** Starts QEMU and does not wait for the guest. */
        public QemuGuest start(final Lab lab, final String name)
        {
            HostFiles.delete(lab.socket(name + ".agent"));
            HostFiles.delete(lab.socket(name + ".qmp"));
            return lab.own(new QemuGuest(lab, name, HostProcess.start(name, lab.log(name), command(lab, name)), qemu));
        }

        /** Starts QEMU and waits until the guest takes commands. */
        public QemuGuest boot(final Lab lab, final String name)
        {
            final QemuGuest guest = start(lab, name);
            guest.awaitBoot();
            return guest;
        }
    }

    private final Lab lab;
    private final String name;
    private final HostProcess process;
    private final QemuBinary qemu;
    private GuestAgent agent;
    private Qmp monitor;

    private QemuGuest(final Lab lab, final String name, final HostProcess process, final QemuBinary qemu)
    {
        this.lab = lab;
        this.name = name;
        this.process = process;
        this.qemu = qemu;
    }

    public static Plan plan()
    {
        return new Plan();
    }

    /** Waits for the agent, after a start or a reboot. */
    public void awaitBoot()
    {
        try
        {
            connect();
            agent.awaitReady(BOOT_LIMIT);
        }
        catch (final RigException ex)
        {
            throw new RigException(qemu + " guest did not come up: " + ex.getMessage() + "\nconsole:\n" +
                HostFiles.tail(lab.log(name + "-console"), 20) + "\nQEMU:\n" + HostFiles.tail(process.log(), 20), ex);
        }
    }

    /** To the monitor and to the line of the guest's agent, who may come later or be somewhere else still. */
    void connect()
    {
        if (null == agent)
        {
            agent = new GuestAgent(lab.socket(name + ".agent"), process);
            monitor = new Qmp(lab.socket(name + ".qmp"), process);
        }
    }

    String name()
    {
        return name;
    }

    Qmp monitor()
    {
        return monitor;
    }

    public QemuBinary qemu()
    {
        return qemu;
    }

    public HostProcess process()
    {
        return process;
    }

    public Shell.Result run(final String command)
    {
        return agent.run(command, COMMAND_LIMIT);
    }

    /** Waits until somebody in the guest listens on a TCP port. */
    public void awaitListener(final int port)
    {
        Listeners.await(port, (command) -> run(command).isSuccess());
    }

    public String check(final String command)
    {
        return check(command, COMMAND_LIMIT);
    }

    public String check(final String command, final Duration limit)
    {
        final Shell.Result result = agent.run(command, limit);
        if (!result.isSuccess())
        {
            throw new RigException("guest: exit " + result.exitCode() + ": " + command + "\n" + result.output());
        }
        return result.output();
    }

    public long counter(final String counter)
    {
        return Long.parseLong(check("counter " + counter));
    }

    /** A command of the monitor without arguments. */
    public String monitor(final String command)
    {
        return monitor.execute(command, null);
    }

    /** Chains of a ring that the driver waits for; odd ones transmit. */
    public int chainsOut(final int queue)
    {
        return GuestRing.read(monitor, queue).out();
    }

    public void link(final boolean up)
    {
        monitor.execute("set_link", "{\"name\": \"net\", \"up\": " + up + "}");
    }

    /** The guest's own reboot, to the point where commands run again. */
    public void reboot()
    {
        agent.run("(sleep 0.3; reboot -f) >/dev/null 2>&1 &", COMMAND_LIMIT);
        awaitBoot();
    }

    /** Any command of the monitor that resets the machine, to the point where commands run again. */
    public void reset()
    {
        monitor("system_reset");
        awaitBoot();
    }

    /** SIGKILL: what a crash of QEMU looks like to the backend. */
    public void kill()
    {
        process.kill();
        close();
    }

    @Override
    public void close()
    {
        if (null != agent)
        {
            agent.close();
            agent = null;
        }
        if (null != monitor)
        {
            monitor.close();
            monitor = null;
        }
        process.close();
        HostFiles.delete(lab.socket(name + ".agent"));
        HostFiles.delete(lab.socket(name + ".qmp"));
    }
}
