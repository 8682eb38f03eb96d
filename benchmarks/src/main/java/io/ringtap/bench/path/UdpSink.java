package io.ringtap.bench.path;

import io.ringtap.bench.harness.Bed;
import io.ringtap.it.rig.HostProcess;
import io.ringtap.it.rig.RigException;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.regex.Pattern;

/** A program that takes datagrams from a socket of the namespace and counts each of them. */
public final class UdpSink implements AutoCloseable
{
    private static final Duration LIMIT = Duration.ofSeconds(30);

    private final HostProcess process;
    private final Path counters;

    private UdpSink(final HostProcess process, final Path counters)
    {
        this.process = process;
        this.counters = counters;
    }

    /** @param isGro whether the socket takes many datagrams in one piece (UDP_GRO). */
    public static UdpSink open(final Bed bed, final int port, final boolean isGro)
    {
        final Path counters = bed.lab().file(bed.unique("datagrams"));
        final HostProcess process = bed.startPinned("udpsink", bed.settings().frontCpu(), bed.program("udpsink"),
            Integer.toString(port), isGro ? "gro" : "plain", counters.toString());
        process.await(Pattern.compile("(?m)^ready$"), 0, LIMIT);
        return new UdpSink(process, counters);
    }

    /** Datagrams so far. */
    public long datagrams()
    {
        try
        {
            return ByteBuffer.wrap(Files.readAllBytes(counters)).order(ByteOrder.nativeOrder()).getLong(0);
        }
        catch (final IOException ex)
        {
            throw new RigException("cannot read " + counters, ex);
        }
    }

    @Override
    public void close()
    {
        process.kill();
        process.close();
    }
}
