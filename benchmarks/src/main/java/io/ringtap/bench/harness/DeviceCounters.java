package io.ringtap.bench.harness;

import io.ringtap.it.rig.HostFiles;
import io.ringtap.it.rig.RigException;

import java.nio.file.Path;

/** The kernel's counters of one interface. What a backend writes into a TAP is received by the interface. */
public final class DeviceCounters
{
    private static final int RECEIVED_BYTES = 0;
    private static final int RECEIVED_PACKETS = 1;

    private final Path file;
    private final String device;

    DeviceCounters(final Path file, final String device)
    {
        this.file = file;
        this.device = device;
    }

    public long receivedPackets()
    {
        return fields()[RECEIVED_PACKETS];
    }

    public long receivedBytes()
    {
        return fields()[RECEIVED_BYTES];
    }

    /**
     * Packets that were received, those inside super-frames counted: the headers of a super-frame are there once, its
     * payload is a multiple of what each of its packets carries.
     */
    public long segments(final int headers, final int payload)
    {
        final long[] fields = fields();
        return (fields[RECEIVED_BYTES] - fields[RECEIVED_PACKETS] * headers) / payload;
    }

    private long[] fields()
    {
        for (final String line : HostFiles.read(file).split("\n"))
        {
            final String text = line.strip();
            if (text.startsWith(device + ":"))
            {
                final String[] words = text.substring(device.length() + 1).strip().split("\\s+");
                final long[] fields = new long[words.length];
                for (int i = 0; i < words.length; i++)
                {
                    fields[i] = Long.parseLong(words[i]);
                }
                return fields;
            }
        }
        throw new RigException("no interface " + device + " in " + file);
    }
}
