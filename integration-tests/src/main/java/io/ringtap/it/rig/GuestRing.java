package io.ringtap.it.rig;

import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** A ring of the first virtio-net device of a guest, read from the guest's memory without disturbing anybody. */
final class GuestRing
{
    private static final Pattern DEVICE = Pattern.compile("\\{[^{}]*\"virtio-net\"[^{}]*\\}");
    private static final Pattern PATH = Pattern.compile("\"path\": \"([^\"]+)\"");
    private static final Pattern HALF_WORD = Pattern.compile("0x([0-9a-f]{4})\\b");
    /** In both parts of a split ring the index follows the flags (virtio 1.x, 2.7.6 and 2.7.8). */
    private static final int INDEX_OFFSET = 2;
    private static final int MODULO = 0xFFFF;
    /** What the driver of a packed ring writes for the device is this long (virtio 1.x, 2.8.14). */
    private static final int PACKED_EVENT = 4;
    /** Half words of a descriptor; its flags are the last one (virtio 1.x, 2.8.13). */
    private static final int DESCRIPTOR = 8;
    private static final int AVAILABLE = 1 << 7;
    private static final int USED = 1 << 15;

    private final Qmp monitor;
    private final String status;

    private GuestRing(final Qmp monitor, final String status)
    {
        this.monitor = monitor;
        this.status = status;
    }

    /** @param queue odd ones transmit. */
    static GuestRing read(final Qmp monitor, final int queue)
    {
        final String device = find(DEVICE, 0, monitor.execute("x-query-virtio", null));
        return new GuestRing(monitor, monitor.execute("x-query-virtio-vhost-queue-status",
            "{\"path\": \"" + find(PATH, 1, device) + "\", \"queue\": " + queue + "}"));
    }

    /** Chains that the driver waits for. */
    int out()
    {
        return PACKED_EVENT == value("avail-size") ? availableSlots() :
            halfWords(value("avail-phys") + INDEX_OFFSET, 1)[0] - halfWords(value("used-phys") + INDEX_OFFSET, 1)[0] &
            MODULO;
    }

    /** Where each chain has one slot: the two flags of those that are used are the same (virtio 1.x, 2.8.1). */
    private int availableSlots()
    {
        final int size = (int)value("num");
        final int[] words = halfWords(value("desc-phys"), size * DESCRIPTOR);
        int available = 0;
        for (int i = 0; i < size; i++)
        {
            final int flags = words[(i + 1) * DESCRIPTOR - 1];
            available += 0 != (flags & AVAILABLE) == (0 != (flags & USED)) ? 0 : 1;
        }
        return available;
    }

    private int[] halfWords(final long guestAddress, final int count)
    {
        final Matcher matcher = HALF_WORD.matcher(monitor.execute("human-monitor-command",
            "{\"command-line\": \"xp /" + count + "hx 0x" + Long.toHexString(guestAddress) + "\"}"));
        final int[] words = new int[count];
        for (int i = 0; i < count; i++)
        {
            if (!matcher.find())
            {
                throw new RigException(i + " of " + count + " half words at 0x" + Long.toHexString(guestAddress));
            }
            words[i] = Integer.parseInt(matcher.group(1), 16);
        }
        return words;
    }

    private long value(final String name)
    {
        return Long.parseLong(find(Pattern.compile("\"" + name + "\": (\\d+)"), 1, status));
    }

    private static String find(final Pattern pattern, final int group, final String text)
    {
        final Matcher matcher = pattern.matcher(text);
        if (!matcher.find())
        {
            throw new RigException("no " + pattern + " in " + text);
        }
        return matcher.group(group);
    }
}
