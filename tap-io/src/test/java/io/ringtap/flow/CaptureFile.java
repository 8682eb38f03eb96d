package io.ringtap.flow;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** Reads the frames of Ethernet captures in the classic pcap format, both byte orders. */
final class CaptureFile
{
    private static final int MAGIC = 0xA1B2C3D4;
    private static final int MAGIC_NS = 0xA1B23C4D;
    private static final int ETHERNET = 1;

    private CaptureFile()
    {
    }

    /**
     * The captures that came with the project's papers: {@code -Dringtap.pcaps=DIRECTORY}, else beside the checkout.
     *
     * @return empty when there are none.
     */
    static List<Path> all() throws IOException
    {
        final String named = System.getProperty("ringtap.pcaps");
        Path directory = Path.of("").toAbsolutePath();
        while (named == null && directory != null && !Files.isDirectory(directory.resolve("shared/data/pcaps")))
        {
            directory = directory.getParent();
        }
        final Path captures = named != null ? Path.of(named) :
            directory == null ? null : directory.resolve("shared/data/pcaps");
        if (captures == null || !Files.isDirectory(captures))
        {
            System.out.println("no captures: neither -Dringtap.pcaps nor shared/data/pcaps beside the checkout");
            return List.of();
        }
        try (Stream<Path> files = Files.list(captures))
        {
            return files.filter(f -> f.toString().endsWith(".pcap")).sorted().collect(Collectors.toList());
        }
    }

    /** Frames as they were captured, perhaps cut; none of other link types. */
    static List<byte[]> frames(final Path file) throws IOException
    {
        final List<byte[]> frames = new ArrayList<>();
        final ByteBuffer in = ByteBuffer.wrap(Files.readAllBytes(file));
        if (in.remaining() < 24)
        {
            return frames;
        }
        final int magic = in.getInt(0);
        if (magic != MAGIC && magic != MAGIC_NS)
        {
            in.order(ByteOrder.LITTLE_ENDIAN);
        }
        if (in.getInt(0) != MAGIC && in.getInt(0) != MAGIC_NS || (in.getInt(20) & 0xFFFF) != ETHERNET)
        {
            return frames;
        }
        in.position(24);
        while (in.remaining() >= 16)
        {
            in.position(in.position() + 8);
            final int length = in.getInt();
            in.getInt();
            if (length < 0 || length > in.remaining())
            {
                break;
            }
            final byte[] frame = new byte[length];
            in.get(frame);
            frames.add(frame);
        }
        return frames;
    }
}
