package io.ringtap.it;

import io.ringtap.it.rig.Await;
import io.ringtap.it.rig.HostProcess;
import io.ringtap.it.rig.Lab;
import io.ringtap.it.rig.RigException;
import java.io.IOException;
import java.io.RandomAccessFile;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Echo requests to the guest at a steady pace, and when each answer came, by the machine's clock. One thread. */
final class EchoLog
{
    private static final Pattern ANSWER = Pattern.compile("(?m)^\\[(\\d+)\\.(\\d{6})\\] \\d+ bytes from");
    private static final long US_PER_S = 1_000_000;

    private final HostProcess ping;
    private final List<Long> answersUs = new ArrayList<>();
    private long read;

    private EchoLog(final HostProcess ping)
    {
        this.ping = ping;
    }

    /** @param interval between two requests, in seconds. */
    static EchoLog start(final Lab lab, final String interval)
    {
        return new EchoLog(lab.start("ping", "ping", "-D", "-n", "-i", interval, Wire.GUEST));
    }

    /** What the answers' times are comparable with. */
    static long nowUs()
    {
        return ChronoUnit.MICROS.between(Instant.EPOCH, Instant.now());
    }

    boolean isAlive()
    {
        return ping.isAlive();
    }

    /** Answers so far. */
    int count()
    {
        look();
        return answersUs.size();
    }

    /** Waits for so many more answers. */
    void awaitMore(final int answers, final Duration limit)
    {
        final int before = count();
        Await.until(() -> "answers of the guest: " + (count() - before), limit, () -> count() - before >= answers);
    }

    /** Waits for an answer that came later than that. @return how much later, in ns. */
    long awaitAfterNs(final long thenUs, final Duration limit)
    {
        Await.until("an answer of the guest", limit,
            () -> 0 < count() && answersUs.get(answersUs.size() - 1) > thenUs);
        int first = answersUs.size() - 1;
        while (0 < first && answersUs.get(first - 1) > thenUs)
        {
            first--;
        }
        return (answersUs.get(first) - thenUs) * 1000;
    }

    /** The longest time between two answers, beginning with the one of that number. */
    long longestSilenceMs(final int from)
    {
        look();
        long longest = 0;
        for (int i = from + 1; i < answersUs.size(); i++)
        {
            longest = Math.max(longest, answersUs.get(i) - answersUs.get(i - 1));
        }
        return Math.round(longest / 1000.0);
    }

    /** Takes what has been written since the last look, up to the last whole line. */
    private void look()
    {
        if (!ping.isAlive())
        {
            throw new RigException("ping ended\n" + ping.output());
        }
        final String text = more();
        final int end = text.lastIndexOf('\n') + 1;
        final Matcher matcher = ANSWER.matcher(text).region(0, end);
        while (matcher.find())
        {
            answersUs.add(Long.parseLong(matcher.group(1)) * US_PER_S + Long.parseLong(matcher.group(2)));
        }
        read += end;
    }

    private String more()
    {
        try (RandomAccessFile file = new RandomAccessFile(ping.log().toFile(), "r"))
        {
            final byte[] bytes = new byte[(int)(file.length() - read)];
            file.seek(read);
            file.readFully(bytes);
            return new String(bytes, StandardCharsets.US_ASCII);
        }
        catch (final IOException ex)
        {
            throw new UncheckedIOException(ex);
        }
    }
}
