package io.ringtap.port;

import io.ringtap.flow.Offloads;
import io.ringtap.sys.Tun;

import java.util.StringJoiner;

/**
 * What the host's kernel can do for a port, found when it was opened; printed once at start.
 *
 * @param name         interface name.
 * @param queues       queues open.
 * @param isMultiQueue more could be attached.
 * @param features     Tun.IFF_* bits of this kernel's TAPs; 0 when unknown.
 * @param offloads     {@link Offloads} bits that receiving could engage.
 * @param io           how queues cross to the kernel, and why not otherwise.
 */
public record PortProbe(String name, int queues, boolean isMultiQueue, int features, int offloads, String io)
{
    private static final String[] OFFLOAD_NAMES = {"csum", "tso4", "tso6", "ecn", "ufo", "uso4", "uso6"};

    /** UDP super-frames of datagrams, Linux 6.2 and later. */
    public boolean hasUso()
    {
        final int uso = Offloads.USO4 | Offloads.USO6;
        return uso == (offloads & uso);
    }

    /** Whether this kernel's TAPs can have several queues. */
    public boolean knowsMultiQueue()
    {
        return 0 != (features & Tun.IFF_MULTI_QUEUE);
    }

    /** One line for people. */
    @Override
    public String toString()
    {
        return name + ": " + queues + (1 == queues ? " queue" : " queues") +
            (isMultiQueue ? " (multi-queue)" : "") + ", offloads " + offloadNames(offloads) + ", " + io;
    }

    /** Names of {@link Offloads} bits, joined by commas. */
    static String offloadNames(final int bits)
    {
        final StringJoiner names = new StringJoiner(",");
        names.setEmptyValue("none");
        for (int i = 0; i < OFFLOAD_NAMES.length; i++)
        {
            if (0 != (bits & 1 << i))
            {
                names.add(OFFLOAD_NAMES[i]);
            }
        }
        return names.toString();
    }
}
