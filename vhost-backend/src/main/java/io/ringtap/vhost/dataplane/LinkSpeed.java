package io.ringtap.vhost.dataplane;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;

/**
 * How fast an interface of the host says it is, in the words of virtio (5.1.4).
 *
 * @param megabits a second, or {@link #UNKNOWN}.
 * @param duplex   0 half, 1 full, {@link #UNKNOWN_DUPLEX}.
 */
public record LinkSpeed(int megabits, int duplex)
{
    public static final int UNKNOWN = -1;
    public static final int UNKNOWN_DUPLEX = 0xff;

    private static final LinkSpeed NOT_KNOWN = new LinkSpeed(UNKNOWN, UNKNOWN_DUPLEX);

    /** Of an interface; unknown where the host does not say. */
    static LinkSpeed of(final String device)
    {
        final Path directory = Path.of("/sys/class/net", device);
        try
        {
            final int megabits = Integer.parseInt(Files.readString(directory.resolve("speed")).strip());
            final String duplex = Files.readString(directory.resolve("duplex")).strip();
            return megabits <= 0 ? NOT_KNOWN :
                new LinkSpeed(megabits, "full".equals(duplex) ? 1 : "half".equals(duplex) ? 0 : UNKNOWN_DUPLEX);
        }
        catch (final IOException | NumberFormatException ex)
        {
            return NOT_KNOWN;
        }
    }
}
