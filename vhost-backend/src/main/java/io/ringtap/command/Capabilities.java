package io.ringtap.command;

import io.ringtap.flow.Offloads;
import io.ringtap.vhost.virtio.NetFeatures;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

/**
 * The answer to {@code --print-capabilities}, in the form of QEMU's docs/interop/vhost-user.json. That schema has no
 * list of its own for net, so we name the virtio features that we can offer; which of them a NIC gets depends on its
 * port.
 */
final class Capabilities
{
    /** Without these two there is no session; they are no choice. */
    private static final long REQUIRED = NetFeatures.bit(NetFeatures.VERSION_1) |
        NetFeatures.bit(NetFeatures.PROTOCOL_FEATURES);

    private Capabilities()
    {
    }

    static String json()
    {
        return "{\"type\":\"net\",\"features\":[\"" + String.join("\",\"", features()) + "\"]}";
    }

    /** Names of the features that can be offered or left out. */
    static List<String> features()
    {
        final List<String> names = new ArrayList<>();
        for (final String name : NetFeatures.names(NetFeatures.offered(Offloads.ALL, Offloads.ALL) & ~REQUIRED))
        {
            names.add(word(name));
        }
        return names;
    }

    /** The bit of a feature by its name here; 0 for none. */
    static long feature(final String name)
    {
        for (int i = 0; i < Long.SIZE; i++)
        {
            if (word(NetFeatures.name(i)).equals(name))
            {
                return NetFeatures.bit(i);
            }
        }
        return 0;
    }

    private static String word(final String name)
    {
        return name.toLowerCase(Locale.ROOT).replace('_', '-');
    }
}
