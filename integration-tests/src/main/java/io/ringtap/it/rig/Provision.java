package io.ringtap.it.rig;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.channels.FileChannel;
import java.nio.channels.FileLock;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * Makes the machine ready for real guests and peers. As root on a Debian it installs what is missing; elsewhere it
 * says what is missing and the line that installs it, and the test is reported as skipped, or as failed in CI.
 */
public final class Provision
{
    /** A program that must run here, and the package that brings it. */
    private static final Map<String, String> PROGRAMS = new LinkedHashMap<>();

    /** DPDK's drivers, shared objects without a program; their packages end in the number of DPDK's ABI. */
    private static final List<String> DRIVERS = List.of("librte-net-vhost", "librte-net-tap", "librte-net-af-packet",
        "librte-net-af-xdp", "librte-net-virtio", "librte-mempool-ring");
    private static final Path DRIVER_DIRECTORY = Path.of("/usr/lib/x86_64-linux-gnu/dpdk");
    /** Debian 12's, when the package lists say nothing. */
    private static final String USUAL_ABI = "23";

    private static Kit kit;
    private static String missing;

    static
    {
        PROGRAMS.put("qemu-system-x86_64", "qemu-system-x86");
        PROGRAMS.put("busybox", "busybox-static");
        PROGRAMS.put("depmod", "kmod");
        PROGRAMS.put("lz4", "lz4");
        PROGRAMS.put("xz", "xz-utils");
        PROGRAMS.put("zstd", "zstd");
        PROGRAMS.put("iperf3", "iperf3");
        PROGRAMS.put("ethtool", "ethtool");
        PROGRAMS.put("tcpdump", "tcpdump");
        PROGRAMS.put("tcpreplay", "tcpreplay");
        PROGRAMS.put("socat", "socat");
        PROGRAMS.put("ip", "iproute2");
        PROGRAMS.put("ping", "iputils-ping");
        PROGRAMS.put("dpdk-testpmd", "dpdk-dev");
    }

    /** What a test may build on: kernel and image of the guest, and the QEMUs, the preferred one first. */
    public record Kit(Path kernel, Path image, List<QemuBinary> qemus)
    {
        public QemuBinary qemu()
        {
            return qemus.get(0);
        }
    }

    private Provision()
    {
    }

    /** Everything, ready to use. Concurrent callers, also in other processes, wait for one another. */
    public static synchronized Kit kit()
    {
        if (null == kit)
        {
            if (null == missing)
            {
                missing = whatStandsInTheWay();
            }
            Requirement.demand(null == missing || missing.isEmpty(), missing);
            kit = locked();
        }
        return kit;
    }

    /** Only the rights that namespaces and TAPs need; for tests without a guest. */
    public static void root()
    {
        Requirement.demand(isRoot(), "network namespaces need root; run the integration tests as root");
    }

    /** Files that a test needs, each with the package that brings it; installed or demanded as the kit is. */
    public static synchronized void files(final Map<Path, String> wanted)
    {
        final List<String> packages = wanted.entrySet().stream()
            .filter((each) -> !Files.exists(each.getKey())).map(Map.Entry::getValue).distinct().toList();
        if (!packages.isEmpty())
        {
            Requirement.demand(isRoot() && Apt.exists(),
                "missing here: apt-get install --no-install-recommends " + String.join(" ", packages));
            Progress.say("installing " + String.join(" ", packages));
            Apt.system().install(packages);
        }
    }

    private static String whatStandsInTheWay()
    {
        if (!System.getProperty("os.arch").equals("amd64"))
        {
            return "the guests are for amd64, this machine is " + System.getProperty("os.arch");
        }
        final List<String> packages = missingPackages();
        if (!isRoot())
        {
            return "network namespaces need root; run the integration tests as root" + (packages.isEmpty() ? "" :
                ", after: apt-get install --no-install-recommends " + String.join(" ", packages));
        }
        if (!packages.isEmpty() && !Apt.exists())
        {
            return "missing here, and no apt to install it: " + String.join(" ", packages);
        }
        return "";
    }

    private static List<String> missingPackages()
    {
        final List<String> packages = new ArrayList<>();
        PROGRAMS.forEach((program, name) ->
        {
            if (null == Shell.find(program))
            {
                packages.add(name);
            }
        });
        for (final String driver : DRIVERS)
        {
            if (!hasDriver(driver.replace('-', '_') + ".so"))
            {
                packages.add(Apt.exists() ? Apt.nameThatBegins(driver, driver + USUAL_ABI) : driver + USUAL_ABI);
            }
        }
        return packages;
    }

    private static boolean hasDriver(final String file)
    {
        return HostFiles.list(DRIVER_DIRECTORY).stream().flatMap(version -> HostFiles.list(version).stream())
            .anyMatch(path -> path.getFileName().toString().startsWith(file));
    }

    private static Kit locked()
    {
        final Path cache = HostFiles.directories(Settings.cache());
        try (FileChannel channel = FileChannel.open(cache.resolve("lock"), StandardOpenOption.CREATE,
            StandardOpenOption.WRITE);
            FileLock lock = channel.lock())
        {
            assert lock.isValid();
            final Apt apt = Apt.system();
            final List<String> packages = missingPackages();
            if (!packages.isEmpty())
            {
                Progress.say("installing " + String.join(" ", packages));
                apt.install(packages);
            }
            final QemuBinary installed = QemuBinary.of(Shell.find("qemu-system-x86_64"), List.of());
            final QemuBinary newer = QemuBackport.provide(cache, installed);
            final GuestKernel kernel = GuestKernel.provide(cache, apt);
            final Path image = GuestImage.provide(cache, kernel);
            return new Kit(kernel.image(), image, null == newer ? List.of(installed) : List.of(newer, installed));
        }
        catch (final IOException ex)
        {
            throw new UncheckedIOException(ex);
        }
    }

    private static boolean isRoot()
    {
        return HostFiles.read(Path.of("/proc/self/status")).lines()
            .anyMatch(line -> line.matches("Uid:\\s+\\d+\\s+0\\s.*"));
    }
}
