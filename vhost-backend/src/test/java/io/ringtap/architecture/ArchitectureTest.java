package io.ringtap.architecture;

import com.tngtech.archunit.core.domain.AccessTarget.CodeUnitAccessTarget;
import com.tngtech.archunit.core.domain.Dependency;
import com.tngtech.archunit.core.domain.JavaClass;
import com.tngtech.archunit.core.domain.JavaClasses;
import com.tngtech.archunit.core.domain.JavaCodeUnitAccess;
import com.tngtech.archunit.core.importer.ClassFileImporter;
import com.tngtech.archunit.core.importer.ImportOption;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

import java.util.Map;
import java.util.Set;
import java.util.TreeSet;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;

/** Keeps the house as ARCHITECTURE.md draws it: who may import whom, and what stays in the locked rooms. */
class ArchitectureTest
{
    private static final String OURS = "io.ringtap";

    /**
     * A room, and the rooms it may import besides its own. What is not here may be imported by nobody. The order is
     * that of the doors: from the kernel's side to the user's.
     */
    private static final Map<String, Set<String>> DOORS = Map.ofEntries(
        Map.entry("sys", Set.of()),
        Map.entry("sys.uring", Set.of("sys")),
        Map.entry("counters", Set.of()),
        Map.entry("yaml", Set.of()),
        Map.entry("log", Set.of()),
        Map.entry("events", Set.of()),
        Map.entry("frag", Set.of("sys", "counters")),
        Map.entry("flow", Set.of("sys", "counters", "frag")),
        Map.entry("port", Set.of("sys", "sys.uring", "counters", "frag", "flow")),
        Map.entry("xdp", Set.of()),
        Map.entry("xdp.bpf", Set.of("xdp")),
        Map.entry("xdp.bpf.map", Set.of("xdp.bpf")),
        Map.entry("xdp.bpf.helper", Set.of("xdp", "xdp.bpf", "xdp.bpf.map")),
        Map.entry("xdp.bpf.elf", Set.of("xdp.bpf", "xdp.bpf.map")),
        Map.entry("xdp.trial", Set.of("xdp", "xdp.bpf")),
        Map.entry("sandbox", Set.of("sys")),
        Map.entry("service", Set.of("sys")),
        Map.entry("vhost.protocol", Set.of("sys")),
        Map.entry("vhost.guest", Set.of("sys")),
        Map.entry("vhost.virtio", Set.of("sys", "counters", "flow", "port", "vhost.guest")),
        Map.entry("capture", Set.of("sys", "counters", "flow")),
        Map.entry("vhost.control", Set.of("flow", "vhost.virtio")),
        Map.entry("vhost.dataplane", Set.of(
            "sys", "counters", "events", "frag", "flow", "port", "xdp", "capture", "vhost.guest", "vhost.virtio",
            "vhost.control")),
        Map.entry("vhost.session", Set.of(
            "sys", "counters", "events", "flow", "vhost.protocol", "vhost.guest", "vhost.virtio", "vhost.control",
            "vhost.dataplane")),
        Map.entry("vhost.ops", Set.of(
            "sys", "counters", "flow", "frag", "port", "xdp", "xdp.bpf", "xdp.bpf.map", "xdp.bpf.helper", "xdp.bpf.elf",
            "capture", "vhost.virtio", "vhost.dataplane", "vhost.session")),
        Map.entry("vhost.metrics", Set.of(
            "counters", "frag", "port", "xdp", "capture", "vhost.virtio", "vhost.dataplane", "vhost.session",
            "vhost.ops")),
        Map.entry("terminal", Set.of("sys")),
        Map.entry("top", Set.of("terminal", "vhost.ops")),
        Map.entry("frontend", Set.of("sys", "counters", "flow", "vhost.protocol", "vhost.virtio")),
        Map.entry("demo", Set.of("", "sys", "terminal", "counters", "flow", "port", "frontend", "vhost.virtio")),
        Map.entry("", Set.of(
            "sys", "sys.uring", "service", "counters", "frag", "flow", "port", "xdp", "xdp.bpf", "xdp.bpf.map",
            "xdp.bpf.elf", "vhost.virtio", "vhost.guest", "vhost.dataplane", "vhost.session", "vhost.ops", "capture",
            "command", "sandbox")),
        Map.entry("command", Set.of(
            "", "sys", "service", "counters", "log", "flow", "frag", "port", "xdp", "xdp.bpf", "xdp.bpf.map",
            "xdp.bpf.helper", "xdp.bpf.elf", "xdp.trial", "vhost.virtio", "vhost.dataplane", "vhost.ops",
            "vhost.metrics", "terminal", "top", "capture", "frontend", "demo", "yaml", "sandbox")));

    /** Rooms where an address is a number: the two locked ones, and the arena that hands out slots. */
    private static final Set<String> RAW = Set.of("sys", "sys.uring", "frag", "vhost.guest");

    /** Classes elsewhere that take an address from a vector: the checksum sums a frame's rest where it lies. */
    private static final Set<String> RAW_CLASSES = Set.of(OURS + ".flow.Checksum");

    private static JavaClasses classes;

    @BeforeAll
    static void importClasses()
    {
        classes = new ClassFileImporter()
            .withImportOption(ImportOption.Predefined.DO_NOT_INCLUDE_TESTS)
            .importPackages(OURS);
    }

    @Test
    void shouldKnowEveryRoom()
    {
        final Set<String> strangers = new TreeSet<>();
        for (final JavaClass each : classes)
        {
            if (!DOORS.containsKey(room(each)))
            {
                strangers.add(room(each));
            }
        }
        assertEquals(Set.of(), strangers, "rooms without a line in DOORS");
        assertFalse(classes.isEmpty());
    }

    @Test
    void shouldImportOnlyThroughTheDoors()
    {
        final Set<String> breaches = new TreeSet<>();
        for (final JavaClass each : classes)
        {
            for (final Dependency dependency : each.getDirectDependenciesFromSelf())
            {
                final JavaClass target = dependency.getTargetClass().getBaseComponentType();
                if (isOurs(target) && !room(each).equals(room(target)) && !DOORS.get(room(each)).contains(room(target)))
                {
                    breaches.add(each.getName() + " -> " + target.getName());
                }
            }
        }
        assertEquals(Set.of(), breaches, "imports against the direction of the house");
    }

    @Test
    void shouldKeepRawAddressesInTheLockedRooms()
    {
        final Set<String> breaches = new TreeSet<>();
        for (final JavaClass each : classes)
        {
            if (RAW.contains(room(each)) || RAW_CLASSES.contains(each.getName()))
            {
                continue;
            }
            for (final JavaCodeUnitAccess<?> access : each.getCodeUnitAccessesFromSelf())
            {
                if (isRaw(access.getTarget()))
                {
                    breaches.add(each.getName() + " calls " + access.getTarget().getFullName());
                }
            }
        }
        assertEquals(Set.of(), breaches, "raw addresses outside the locked rooms");
    }

    @Test
    void shouldKeepNativeLibrariesInTheSystemRoom()
    {
        final Set<String> breaches = new TreeSet<>();
        for (final JavaClass each : classes)
        {
            for (final Dependency dependency : each.getDirectDependenciesFromSelf())
            {
                final String target = dependency.getTargetClass().getBaseComponentType().getName();
                final boolean isNative = target.startsWith("jnr.") || target.startsWith("com.kenai.jffi.") ||
                    target.startsWith("sun.misc.") || target.startsWith("jdk.internal.");
                final boolean isSessionSocket =
                    target.startsWith("jnr.unixsocket.") && "vhost.session".equals(room(each));
                if (isNative && !isSessionSocket && !room(each).startsWith("sys"))
                {
                    breaches.add(each.getName() + " -> " + target);
                }
            }
        }
        assertEquals(Set.of(), breaches, "native libraries outside sys");
    }

    /** Whether the code unit reads, writes or wraps memory by its address. */
    private static boolean isRaw(final CodeUnitAccessTarget target)
    {
        final String owner = target.getOwner().getName();
        final boolean firstIsLong = !target.getRawParameterTypes().isEmpty() &&
            "long".equals(target.getRawParameterTypes().get(0).getName());
        return switch (owner)
        {
            case OURS + ".sys.Memory" -> firstIsLong || "addressOf".equals(target.getName());
            case "org.agrona.concurrent.UnsafeBuffer" -> firstIsLong && !"setMemory".equals(target.getName());
            case "org.agrona.UnsafeApi", "org.agrona.UnsafeAccess", "sun.misc.Unsafe" -> true;
            default -> false;
        };
    }

    private static boolean isOurs(final JavaClass target)
    {
        return target.getName().startsWith(OURS + ".");
    }

    private static String room(final JavaClass each)
    {
        final String name = each.getPackageName();
        return name.length() > OURS.length() ? name.substring(OURS.length() + 1) : "";
    }
}
