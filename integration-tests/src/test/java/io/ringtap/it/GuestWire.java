package io.ringtap.it;

import io.ringtap.frontend.Frontend;
import io.ringtap.frontend.FrontendConfig;
import io.ringtap.frontend.GuestQueue;
import io.ringtap.it.rig.Await;
import io.ringtap.it.rig.HostProcess;
import io.ringtap.it.rig.Lab;
import io.ringtap.it.rig.Pcap;
import io.ringtap.it.rig.TestFrames;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.regex.Pattern;
import org.agrona.concurrent.UnsafeBuffer;

/** The built-in guest's rings on one end, held by the test itself, and the TAP on the other. */
final class GuestWire implements AutoCloseable
{
    private static final Duration LIMIT = Duration.ofSeconds(60);
    private static final Duration QUIET = Duration.ofMillis(500);
    private static final int ETHER_TYPE = 0x88b5;
    /** Just above the longest frame: it is also the size of a slot in the ring of the capture, which a burst fills. */
    private static final String SNAPSHOT = "9216";

    private final Lab lab;
    private final Frontend frontend;

    /** Connects and starts. */
    GuestWire(final Lab lab, final FrontendConfig config)
    {
        this.lab = lab;
        frontend = new Frontend(config.timeoutMs((int)LIMIT.toMillis()));
        frontend.connect();
        frontend.nic();
        frontend.start();
    }

    Frontend frontend()
    {
        return frontend;
    }

    /** Sends the frames on one queue pair; returns what tcpdump did not see as it was sent. */
    String framesToHost(final List<byte[]> frames, final int pair, final String file)
    {
        final Path capture = lab.file(file);
        try (HostProcess recorder = lab.start("tcpdump", "tcpdump", "-i", Wire.TAP, "-Q", "in", "-B", "65536", "-s",
            SNAPSHOT, "-U", "--immediate-mode", "-n", "-Z", "root", "-w", capture.toString(), TestFrames.FILTER))
        {
            recorder.await(Pattern.compile("listening on"), recorder.output().lastIndexOf("+ "), LIMIT);
            final GuestQueue queue = frontend.nic().queue(pair);
            for (final byte[] frame : frames)
            {
                final UnsafeBuffer bytes = new UnsafeBuffer(frame);
                Await.until("room in the ring", LIMIT, () -> queue.send(bytes, 0, frame.length));
            }
            Await.settled(QUIET, LIMIT, () -> capture.toFile().length());
        }
        return Wire.difference(frames, Pcap.frames(capture));
    }

    /** Sends the frames from the host; returns what did not arrive as it was sent, on whatever queue pair. */
    String framesToGuest(final List<byte[]> frames)
    {
        final List<byte[]> seen = new ArrayList<>();
        final Thread sender = new Thread(() -> Wire.replay(lab, frames), "replay");
        sender.start();
        long quietSinceNs = System.nanoTime();
        while (sender.isAlive() || System.nanoTime() - quietSinceNs < QUIET.toNanos())
        {
            if (poll(seen) > 0)
            {
                quietSinceNs = System.nanoTime();
            }
        }
        if (frontend.nic().queueCount() > 1)
        {
            // The order holds in a queue only; each frame has a length of its own.
            seen.sort(Comparator.comparingInt(frame -> frame.length));
        }
        return Wire.difference(frames, seen);
    }

    @Override
    public void close()
    {
        frontend.close();
    }

    private int poll(final List<byte[]> seen)
    {
        int frames = 0;
        for (int pair = 0; pair < frontend.nic().queueCount(); pair++)
        {
            frames += frontend.nic().queue(pair).poll((buffer, header, offset, length) ->
            {
                if (length >= 14 && (short)ETHER_TYPE == Short.reverseBytes(buffer.getShort(offset + 12)))
                {
                    final byte[] frame = new byte[length];
                    buffer.getBytes(offset, frame);
                    seen.add(frame);
                }
            }, 64);
        }
        return frames;
    }
}
