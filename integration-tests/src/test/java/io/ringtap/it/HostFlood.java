package io.ringtap.it;

import io.ringtap.it.rig.Netns;
import io.ringtap.it.rig.NetnsThread;
import io.ringtap.it.rig.RigException;
import java.io.IOException;
import java.net.DatagramPacket;
import java.net.DatagramSocket;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.util.concurrent.locks.LockSupport;

/** Datagrams to the guest without end, from a socket inside the namespace, whether or not anybody serves it. */
final class HostFlood implements AutoCloseable
{
    private static final int LENGTH = 200;
    private static final int DISCARD_PORT = 9;
    /** The TAP has no carrier while nobody serves it. */
    private static final long REST_NS = 1_000_000;

    private final int burst;
    private final long pauseNs;
    private final DatagramSocket sender;
    private final DatagramPacket packet;
    private final Thread thread = new Thread(this::run, "host");
    private volatile boolean isEnding;
    private volatile long sent;

    /** @param burst datagrams between two pauses. */
    HostFlood(final Netns netns, final int burst, final long pauseNs)
    {
        this.burst = burst;
        this.pauseNs = pauseNs;
        try
        {
            packet = new DatagramPacket(new byte[LENGTH], LENGTH,
                new InetSocketAddress(InetAddress.getByName(Wire.GUEST), DISCARD_PORT));
            sender = NetnsThread.call(netns, () -> new DatagramSocket());
        }
        catch (final IOException ex)
        {
            throw new RigException("no datagrams to " + Wire.GUEST, ex);
        }
        thread.start();
    }

    /** Datagrams so far, whatever became of them. */
    long sent()
    {
        return sent;
    }

    @Override
    public void close()
    {
        isEnding = true;
        boolean isInterrupted = false;
        while (thread.isAlive())
        {
            try
            {
                thread.join();
            }
            catch (final InterruptedException ex)
            {
                isInterrupted = true;
            }
        }
        sender.close();
        if (isInterrupted)
        {
            Thread.currentThread().interrupt();
        }
    }

    private void run()
    {
        while (!isEnding)
        {
            LockSupport.parkNanos(send() ? pauseNs : REST_NS);
        }
    }

    private boolean send()
    {
        try
        {
            for (int i = 0; i < burst; i++)
            {
                sender.send(packet);
            }
            sent += burst;
            return true;
        }
        catch (final IOException ex)
        {
            return false;
        }
    }
}
