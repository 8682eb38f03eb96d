package io.ringtap.it.rig;

import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.zip.GZIPInputStream;

/**
 * Debian's cloud kernel, downloaded but not installed. The ELF inside the compressed image is taken out, since QEMU
 * can boot that through its PVH entry: nothing is decompressed inside a guest that is emulated.
 */
final class GuestKernel
{
    private static final String META_PACKAGE = "linux-image-cloud-amd64";
    // The setup header of Documentation/arch/x86/boot.rst, offsets in the file.
    private static final int SETUP_SECTORS_OFFSET = 0x1f1;
    private static final int PAYLOAD_OFFSET_OFFSET = 0x248;
    private static final int PAYLOAD_LENGTH_OFFSET = 0x24c;
    private static final int SECTOR_LENGTH = 512;
    private static final int DEFAULT_SETUP_SECTORS = 4;
    /** The uncompressed size that the kernel's build appends to every payload but gzip's, which has it by itself. */
    private static final int SIZE_SUFFIX_LENGTH = 4;

    private final Path directory;

    private GuestKernel(final Path directory)
    {
        this.directory = directory;
    }

    /** The newest kernel in the cache, or one brought in. The caller holds the cache's lock. */
    static GuestKernel provide(final Path cache, final Apt apt) throws IOException
    {
        final List<Path> ready = HostFiles.list(cache).stream()
            .filter(path -> path.getFileName().toString().startsWith("kernel-"))
            .filter(path -> Files.exists(path.resolve("complete"))).toList();
        if (!ready.isEmpty())
        {
            return new GuestKernel(ready.get(ready.size() - 1));
        }
        String name = apt.firstDependency(META_PACKAGE);
        if (null == name)
        {
            apt.update();
            name = apt.firstDependency(META_PACKAGE);
        }
        if (null == name)
        {
            throw new RigException("apt knows no package " + META_PACKAGE + "; is a Debian source set up?");
        }
        Progress.say("downloading the guest kernel " + name);
        final Path work = cache.resolve("kernel.tmp");
        HostFiles.deleteTree(work);
        downloadTo(work, name, apt);
        final String version = HostFiles.list(work.resolve("root/lib/modules")).get(0).getFileName().toString();
        final Path image = HostFiles.list(work.resolve("root/boot")).stream()
            .filter(path -> path.getFileName().toString().startsWith("vmlinuz")).findFirst().orElseThrow();
        extract(image, work.resolve("vmlinux"));
        Shell.check(Duration.ofMinutes(2), Map.of(),
            List.of("depmod", "-b", work.resolve("root").toString(), version));
        HostFiles.write(work.resolve("complete"), version);
        HostFiles.deleteTree(work.resolve("debs"));
        final Path directory = cache.resolve("kernel-" + version);
        HostFiles.deleteTree(directory);
        Files.move(work, directory, StandardCopyOption.ATOMIC_MOVE);
        return new GuestKernel(directory);
    }

    private static void downloadTo(final Path work, final String name, final Apt apt)
    {
        try
        {
            apt.unpack(List.of(name), work.resolve("debs"), work.resolve("root"));
        }
        catch (final RigException ex)
        {
            apt.update();
            apt.unpack(List.of(name), work.resolve("debs"), work.resolve("root"));
        }
    }

    String version()
    {
        return HostFiles.read(directory.resolve("complete")).strip();
    }

    Path image()
    {
        return directory.resolve("vmlinux");
    }

    /** {@code lib/modules/VERSION} of the package, with the dependency list that depmod made. */
    Path modules()
    {
        return directory.resolve("root/lib/modules").resolve(version());
    }

    static void extract(final Path compressed, final Path elf) throws IOException
    {
        final ByteBuffer image = ByteBuffer.wrap(Files.readAllBytes(compressed)).order(ByteOrder.LITTLE_ENDIAN);
        final int sectors = image.get(SETUP_SECTORS_OFFSET) & 0xff;
        final int start = (0 == sectors ? DEFAULT_SETUP_SECTORS + 1 : sectors + 1) * SECTOR_LENGTH +
            image.getInt(PAYLOAD_OFFSET_OFFSET);
        final byte[] payload = Arrays.copyOfRange(image.array(), start, start + image.getInt(PAYLOAD_LENGTH_OFFSET));
        final int magic = ByteBuffer.wrap(payload).getInt();
        if (0x1f8b == magic >>> 16)
        {
            Files.write(elf, new GZIPInputStream(new ByteArrayInputStream(payload)).readAllBytes());
        }
        else
        {
            final Path raw = Files.write(elf.resolveSibling("payload"),
                Arrays.copyOf(payload, payload.length - SIZE_SUFFIX_LENGTH));
            final Shell.Result result = Shell.run(Duration.ofMinutes(2), Map.of(),
                List.of("sh", "-c", decompressor(magic) + " < \"$0\" > \"$1\"", raw.toString(), elf.toString()));
            HostFiles.delete(raw);
            if (!result.isSuccess())
            {
                throw new RigException("cannot decompress " + compressed + ": " + result.output());
            }
        }
        final byte[] head = Arrays.copyOf(Files.readAllBytes(elf), 4);
        if (!Arrays.equals(new byte[]{0x7f, 'E', 'L', 'F'}, head))
        {
            throw new RigException("the payload of " + compressed + " is no ELF image");
        }
    }

    private static String decompressor(final int magic)
    {
        return switch (magic)
        {
            case 0x02214c18 -> "lz4 -d -c";
            case 0xfd377a58 -> "xz -d -c";
            case 0x28b52ffd -> "zstd -d -c";
            default -> throw new RigException("unknown compression of the kernel, magic 0x" +
                Integer.toHexString(magic));
        };
    }
}
