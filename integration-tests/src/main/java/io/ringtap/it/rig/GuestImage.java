package io.ringtap.it.rig;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HexFormat;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * The guest's whole world in one archive: busybox, the network tools of the host with their libraries, the modules in
 * the order in which plain insmod can load them, our init and agent, and the frames of the byte compare.
 */
final class GuestImage
{
    private static final List<String> TOOLS = List.of("ip", "ethtool", "iperf3", "tcpdump", "tcpreplay", "ping");
    private static final List<String> MODULES =
        List.of("virtio_pci", "virtio_net", "pktgen", "af_packet");
    private static final List<String> SCRIPTS = List.of("init", "agent", "lib.sh");
    private static final Pattern LIBRARY = Pattern.compile("(/\\S+\\.so\\S*)");

    /** Enough for a few checkouts side by side. */
    private static final int KEPT_IMAGES = 4;

    private GuestImage()
    {
    }

    /** An image for this kernel and these scripts from the cache, or a new one. The caller holds the lock. */
    static Path provide(final Path cache, final GuestKernel kernel) throws IOException
    {
        final Map<String, byte[]> files = new LinkedHashMap<>();
        for (final String script : SCRIPTS)
        {
            files.put("init".equals(script) ? "init" : "lab/" + script, resource(script));
        }
        files.put("lab/small.pcap", Pcap.bytes(TestFrames.small()));
        files.put("lab/jumbo.pcap", Pcap.bytes(TestFrames.jumbo()));
        for (final String tool : TOOLS)
        {
            addProgram(files, tool);
        }
        files.put("bin/busybox", Files.readAllBytes(program("busybox")));
        final List<Path> modules = inLoadOrder(kernel.modules());
        final StringBuilder list = new StringBuilder();
        for (final Path module : modules)
        {
            final String name = module.getFileName().toString().replaceFirst("\\.ko.*", "");
            files.put("modules/" + name + ".ko", module(module));
            list.append(name).append('\n');
        }
        files.put("modules.list", list.toString().getBytes(StandardCharsets.US_ASCII));

        final Path image = cache.resolve("guest-" + kernel.version() + "-" + digest(files) + ".cpio");
        if (!Files.exists(image))
        {
            Progress.say("building the guest image " + image.getFileName());
            write(files, image);
        }
        return image;
    }

    private static void write(final Map<String, byte[]> files, final Path image) throws IOException
    {
        final Path work = image.resolveSibling("guest.tmp");
        try (CpioArchive archive = new CpioArchive(work))
        {
            for (final String directory : List.of("dev", "proc", "sys", "tmp", "bin", "sbin", "usr/bin", "usr/sbin"))
            {
                archive.directory(directory);
            }
            archive.symlink("bin/sh", "busybox");
            for (final Map.Entry<String, byte[]> file : files.entrySet())
            {
                archive.file(file.getKey(), file.getValue());
            }
        }
        Files.move(work, image, StandardCopyOption.ATOMIC_MOVE, StandardCopyOption.REPLACE_EXISTING);
        HostFiles.list(image.getParent()).stream()
            .filter(path -> path.getFileName().toString().matches("guest-.*\\.cpio"))
            .sorted(Comparator.comparing((Path path) -> path.toFile().lastModified()).reversed())
            .skip(KEPT_IMAGES).forEach(HostFiles::delete);
    }

    private static void addProgram(final Map<String, byte[]> files, final String tool) throws IOException
    {
        final Path program = program(tool).toRealPath();
        files.put("usr/bin/" + tool, Files.readAllBytes(program));
        final Matcher libraries = LIBRARY.matcher(Shell.check("ldd", program.toString()));
        while (libraries.find())
        {
            final Path library = Path.of(libraries.group(1));
            files.putIfAbsent(library.toString().substring(1), Files.readAllBytes(library.toRealPath()));
        }
    }

    private static Path program(final String name)
    {
        final Path program = Shell.find(name);
        if (null == program)
        {
            throw new RigException("no program " + name + " for the guest image");
        }
        return program;
    }

    /** The wanted modules, each after what it needs. A name that modules.dep lacks is built into the kernel. */
    private static List<Path> inLoadOrder(final Path modules)
    {
        final Map<String, List<String>> needs = new LinkedHashMap<>();
        final Map<String, String> byName = new LinkedHashMap<>();
        for (final String line : HostFiles.read(modules.resolve("modules.dep")).lines().toList())
        {
            final int colon = line.indexOf(':');
            final String path = line.substring(0, colon);
            final String rest = line.substring(colon + 1).strip();
            needs.put(path, rest.isEmpty() ? List.of() : List.of(rest.split("\\s+")));
            byName.put(path.replaceFirst(".*/", "").replaceFirst("\\.ko.*", ""), path);
        }
        final Set<String> order = new LinkedHashSet<>();
        for (final String wanted : MODULES)
        {
            if (byName.containsKey(wanted))
            {
                visit(byName.get(wanted), needs, order);
            }
        }
        final List<Path> paths = new ArrayList<>();
        order.forEach(path -> paths.add(modules.resolve(path)));
        return paths;
    }

    private static void visit(final String path, final Map<String, List<String>> needs, final Set<String> order)
    {
        needs.getOrDefault(path, List.of()).forEach(need -> visit(need, needs, order));
        order.add(path);
    }

    private static byte[] module(final Path file) throws IOException
    {
        if (!file.toString().endsWith(".xz"))
        {
            return Files.readAllBytes(file);
        }
        final Path plain = Files.createTempFile("rt-module", ".ko");
        Shell.check("sh", "-c", "xz -d -c \"$0\" > \"$1\"", file.toString(), plain.toString());
        final byte[] content = Files.readAllBytes(plain);
        HostFiles.delete(plain);
        return content;
    }

    private static byte[] resource(final String name)
    {
        try (InputStream in = GuestImage.class.getResourceAsStream("/guest/" + name))
        {
            return in.readAllBytes();
        }
        catch (final IOException ex)
        {
            throw new UncheckedIOException(ex);
        }
    }

    private static String digest(final Map<String, byte[]> files)
    {
        try
        {
            final MessageDigest digest = MessageDigest.getInstance("SHA-256");
            files.forEach((name, content) ->
            {
                digest.update(name.getBytes(StandardCharsets.UTF_8));
                digest.update(content);
            });
            return HexFormat.of().formatHex(digest.digest(), 0, 8);
        }
        catch (final NoSuchAlgorithmException ex)
        {
            throw new IllegalStateException(ex);
        }
    }
}
