package io.ringtap.it.rig;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** Where XDP objects come from: Debian's own, and clang for those that tests bring as C. */
public final class BpfTools
{
    private static final Duration LIMIT = Duration.ofSeconds(120);
    private static final Path OBJECTS = Path.of("/usr/lib/x86_64-linux-gnu/bpf");
    private static final Path TEST_OBJECTS = Path.of("/usr/libexec/xdp-tools");
    private static final int ELF = 0x464c_457f;
    private static final int BPF = 247;
    private static final int HEADER_LENGTH = 64;
    private static final int SECTION_LENGTH = 64;

    /** A file that must be here, and the package that brings it. */
    private static final Map<Path, String> FILES = new LinkedHashMap<>();

    static
    {
        FILES.put(Path.of("/usr/bin/clang"), "clang");
        FILES.put(Path.of("/usr/bin/llvm-objcopy"), "llvm");
        FILES.put(Path.of("/usr/sbin/bpftool"), "bpftool");
        FILES.put(Path.of("/usr/include/linux/bpf.h"), "linux-libc-dev");
        FILES.put(Path.of("/usr/include/bpf/bpf_helpers.h"), "libbpf-dev");
        FILES.put(OBJECTS.resolve("xdpfilt_dny_all.o"), "xdp-tools");
        FILES.put(TEST_OBJECTS.resolve("xdp_pass.o"), "xdp-tests");
    }

    private BpfTools()
    {
    }

    /** Installs what is missing, as {@link Provision} does. */
    public static void provide()
    {
        Provision.files(FILES);
    }

    /** Debian's objects that hold XDP programs. */
    public static List<Path> objects()
    {
        final List<Path> objects = new ArrayList<>(HostFiles.list(OBJECTS));
        objects.addAll(HostFiles.list(TEST_OBJECTS));
        // This one traces functions of the kernel.
        objects.removeIf((file) -> !file.toString().endsWith(".o") || file.endsWith("xdpdump_bpf.o"));
        return objects;
    }

    /** Objects that are embedded in Debian's programs, which carry them as libbpf's skeletons do. */
    public static List<byte[]> embedded(final String program)
    {
        final byte[] file;
        try
        {
            file = Files.readAllBytes(Shell.find(program));
        }
        catch (final IOException ex)
        {
            throw new UncheckedIOException(ex);
        }
        final ByteBuffer bytes = ByteBuffer.wrap(file).order(ByteOrder.LITTLE_ENDIAN);
        final List<byte[]> objects = new ArrayList<>();
        for (int at = 1; at < file.length - HEADER_LENGTH; at++)
        {
            if (ELF == bytes.getInt(at) && BPF == bytes.getShort(at + 18))
            {
                // The headers of the sections come last.
                final int end = at + (int)bytes.getLong(at + 40) + SECTION_LENGTH * bytes.getShort(at + 60);
                objects.add(Arrays.copyOfRange(file, at, end));
            }
        }
        return objects;
    }

    /** Compiles C to an object in a folder, as people do for the kernel. */
    public static Path compile(final Path source, final Path folder, final String... options)
    {
        final Path object = HostFiles.directories(folder)
            .resolve(source.getFileName().toString().replaceAll("\\.c$", ".o"));
        final List<String> command = new ArrayList<>(List.of("clang", "-target", "bpf", "-O2", "-Wall",
            "-idirafter", "/usr/include/x86_64-linux-gnu"));
        command.addAll(List.of(options));
        command.addAll(List.of("-c", source.toString(), "-o", object.toString()));
        Shell.check(LIMIT, Map.of(), command);
        return object;
    }
}
