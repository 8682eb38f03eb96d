package io.ringtap.it.rig;

import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Where a split ring of a guest stands, read from the guest's memory without disturbing anybody.
 *
 * @param available how many chains the driver has made available so far, modulo 65536.
 * @param used      how many the device has given back.
 */
public record GuestRing(int available, int used)
{
    private static final Pattern DEVICE = Pattern.compile("\\{[^{}]*\"virtio-net\"[^{}]*\\}");
    private static final Pattern PATH = Pattern.compile("\"path\": \"([^\"]+)\"");
    private static final Pattern HALF_WORD = Pattern.compile(": 0x([0-9a-f]{4})");
    /** In both parts of a split ring the index follows the flags (virtio 1.x, 2.7.6 and 2.7.8). */
    private static final int INDEX_OFFSET = 2;
    private static final int MODULO = 0xFFFF;

    /** @param queue of the first virtio-net device; odd ones transmit. */
    static GuestRing read(final Qmp monitor, final int queue)
    {
        final String device = find(DEVICE, 0, monitor.execute("x-query-virtio", null));
        final String status = monitor.execute("x-query-virtio-vhost-queue-status",
            "{\"path\": \"" + find(PATH, 1, device) + "\", \"queue\": " + queue + "}");
        return new GuestRing(indexOf(monitor, status, "avail"), indexOf(monitor, status, "used"));
    }

    /** Chains that the driver waits for. */
    public int out()
    {
        return available - used & MODULO;
    }

    private static int indexOf(final Qmp monitor, final String status, final String part)
    {
        final long guestAddress =
            Long.parseLong(find(Pattern.compile("\"" + part + "-phys\": (\\d+)"), 1, status)) + INDEX_OFFSET;
        final String seen = monitor.execute("human-monitor-command",
            "{\"command-line\": \"xp /1hx 0x" + Long.toHexString(guestAddress) + "\"}");
        return Integer.parseInt(find(HALF_WORD, 1, seen), 16);
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
