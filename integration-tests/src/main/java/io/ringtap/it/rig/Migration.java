package io.ringtap.it.rig;

import java.nio.file.Path;
import java.time.Duration;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** A live migration from one QEMU to another on this machine, step by step. */
public final class Migration implements AutoCloseable
{
    private static final Duration LIMIT = Duration.ofSeconds(120);
    /** QEMU goes over once it believes that what is left takes no longer. */
    private static final int DOWNTIME_LIMIT_MS = 300;
    private static final long FAST = 1L << 30;
    private static final long SLOW = 1L << 20;
    private static final Pattern STATUS = Pattern.compile("\"status\": \"([a-z-]+)\"");
    private static final Pattern DOWNTIME = Pattern.compile("\"downtime\": (\\d+)");
    private static final Pattern PASSES = Pattern.compile("\"dirty-sync-count\": (\\d+)");

    private final QemuGuest from;
    private final Path channel;

    private Migration(final QemuGuest from, final Path channel)
    {
        this.from = from;
        this.channel = channel;
    }

    /** Begins at full speed. */
    public static Migration begin(final Lab lab, final QemuGuest from, final QemuGuest to)
    {
        return begin(lab, from, to, FAST);
    }

    /** Begins so slowly that it does not come to its end by itself. */
    public static Migration beginSlowly(final Lab lab, final QemuGuest from, final QemuGuest to)
    {
        return begin(lab, from, to, SLOW);
    }

    private static Migration begin(final Lab lab, final QemuGuest from, final QemuGuest to, final long bytesPerSecond)
    {
        final Path channel = lab.socket(to.name() + ".migrate");
        final String uri = "{\"uri\": \"unix:" + channel + "\"}";
        to.connect();
        to.monitor().execute("migrate-incoming", uri);
        from.monitor().execute("migrate-set-parameters",
            "{\"downtime-limit\": " + DOWNTIME_LIMIT_MS + ", \"max-bandwidth\": " + bytesPerSecond + "}");
        from.monitor().execute("migrate", uri);
        return new Migration(from, channel);
    }

    /** Waits until the guest has gone over. @return how long it stood still, in ms, as QEMU measured it. */
    public long awaitDone()
    {
        final String[] answer = new String[1];
        Await.until(() -> "the migration to complete; " + answer[0], LIMIT, () ->
        {
            answer[0] = from.monitor("query-migrate");
            final String status = field(STATUS, answer[0]);
            if ("failed".equals(status) || "cancelled".equals(status))
            {
                throw new RigException("the migration came to nothing: " + answer[0]);
            }
            return "completed".equals(status);
        });
        return Long.parseLong(field(DOWNTIME, answer[0]));
    }

    /** Waits until memory is copied while the guest runs. */
    public void awaitUnderWay()
    {
        Await.until("memory to be copied", LIMIT, () ->
        {
            final String answer = from.monitor("query-migrate");
            final String passes = field(PASSES, answer);
            return "active".equals(field(STATUS, answer)) && null != passes && Integer.parseInt(passes) > 0;
        });
    }

    /** Calls it off; the guest stays where it was, and the QEMU that waited for it ends. */
    public void cancel()
    {
        from.monitor("migrate_cancel");
        Await.until("the migration to be called off", LIMIT,
            () -> "cancelled".equals(field(STATUS, from.monitor("query-migrate"))));
    }

    @Override
    public void close()
    {
        HostFiles.delete(channel);
    }

    private static String field(final Pattern pattern, final String answer)
    {
        final Matcher matcher = pattern.matcher(answer);
        return matcher.find() ? matcher.group(1) : null;
    }
}
