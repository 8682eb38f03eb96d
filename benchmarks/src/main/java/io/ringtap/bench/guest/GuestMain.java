package io.ringtap.bench.guest;

import io.ringtap.frontend.FrameSpec;
import io.ringtap.frontend.FrameSpec.ChecksumMode;
import io.ringtap.frontend.Frontend;
import io.ringtap.frontend.FrontendConfig;
import io.ringtap.frontend.MacAddress;
import io.ringtap.frontend.PktgenConfig;
import io.ringtap.vhost.virtio.NetFeatures;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.net.InetAddress;
import java.net.UnknownHostException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/**
 * The built-in guest as a program: connects, then obeys lines on its standard input. {@code start}, {@code stop},
 * {@code count} (answers {@code sent N received N}) and {@code quit}.
 */
public final class GuestMain
{
    /** A ring of 1024 full frames, or 64 super-frames; written once, so that it need not fit a cache. */
    private static final int TRANSMIT_BYTES = 4 << 20;

    private static final int FIRST_PORT = 10_000;
    private static final int PORTS_PER_PAIR = 1_000;

    private GuestMain()
    {
    }

    public static void main(final String[] args) throws IOException
    {
        final GuestOptions options = new GuestOptions(Arrays.asList(args));
        final int pairs = options.number("pairs", 1);
        final FrontendConfig config = new FrontendConfig()
            .socketPath(options.text("socket", null))
            .queuePairs(pairs)
            .ringSize(options.number("ring", 1024))
            .transmitBytes(TRANSMIT_BYTES)
            .timeoutMs(20_000);
        if (options.isOn("packed"))
        {
            config.features(FrontendConfig.DEFAULT_FEATURES | NetFeatures.bit(NetFeatures.RING_PACKED));
        }
        if (options.isOn("plain"))
        {
            config.features(plain());
        }
        try (Frontend frontend = new Frontend(config))
        {
            frontend.connect();
            frontend.nic();
            frontend.start();
            for (int pair = 1; pair < pairs; pair++)
            {
                frontend.enable(pair, true);
            }
            final List<GuestWorker> workers = new ArrayList<>();
            for (int pair = 0; pair < pairs; pair++)
            {
                final GuestWorker worker = options.isOn("sink") ?
                    GuestWorker.sink(frontend.nic().queue(pair)) :
                    GuestWorker.generator(
                        frontend.nic().queue(pair), generator(options, frontend, pair), options.isOn("sleep"));
                workers.add(worker);
            }
            System.out.println("ready");
            obey(workers);
            workers.forEach(GuestWorker::end);
        }
    }

    /** No offload at all, so that nothing arrives but frames of the wire. */
    private static long plain()
    {
        return NetFeatures.bit(NetFeatures.VERSION_1) | NetFeatures.bit(NetFeatures.MRG_RXBUF) |
            NetFeatures.bit(NetFeatures.EVENT_IDX) | NetFeatures.bit(NetFeatures.PROTOCOL_FEATURES);
    }

    private static PktgenConfig generator(
        final GuestOptions options, final Frontend frontend, final int pair)
        throws UnknownHostException
    {
        final FrameSpec spec = new FrameSpec(
            MacAddress.parse("52:54:00:12:34:02"),
            MacAddress.parse(options.text("mac", "02:00:00:00:00:77")),
            InetAddress.getByName(options.text("source", "198.18.7.2")),
            InetAddress.getByName(options.text("destination", "198.18.7.1")),
            options.isOn("tcp"),
            FIRST_PORT + pair * PORTS_PER_PAIR,
            options.number("port", 9),
            ChecksumMode.valueOf(options.text("checksum", "FULL")));
        return new PktgenConfig()
            .spec(spec)
            .sizes(options.number("size", 64))
            .flows(options.number("flows", 1))
            .segments(options.number("segments", 1))
            .burst(options.number("burst", 64))
            .conclude(frontend.has(NetFeatures.CSUM));
    }

    private static void obey(final List<GuestWorker> workers) throws IOException
    {
        final BufferedReader input = new BufferedReader(new InputStreamReader(System.in, StandardCharsets.UTF_8));
        for (String line = input.readLine(); null != line && !"quit".equals(line); line = input.readLine())
        {
            switch (line)
            {
                case "start" -> workers.forEach(GuestWorker::start);
                case "stop" -> workers.forEach(GuestWorker::stop);
                default ->
                {
                    // Only counting is left, which every answer does.
                }
            }
            System.out.println("sent " + workers.stream().mapToLong(GuestWorker::sent).sum() + " received " +
                workers.stream().mapToLong(GuestWorker::received).sum());
        }
    }
}
