package io.ringtap.it;

import io.ringtap.frontend.DriverRing;
import io.ringtap.frontend.Frontend;
import io.ringtap.frontend.FrontendRing;
import java.time.Duration;
import java.util.concurrent.locks.LockSupport;

/**
 * A driver that keeps both rings of a queue pair full and writes down, for every descriptor chain, when it was lent and
 * when it came back. The device completes in order, so each that comes back has to be the oldest that is out: one that
 * is lost shows as soon as the next one comes back, one that comes back twice as well. It never rests, whoever serves
 * the rings, or nobody.
 */
final class DescriptorLedger implements AutoCloseable
{
    private static final int HEADER = 12;
    private static final int SENT = 256;
    private static final int ROOM = 2048;
    private static final int MIN_FRAME = 14;

    private final Book receive;
    private final Book transmit;
    private final Thread driver = new Thread(this::run, "driver");
    private volatile boolean isEnding;
    private volatile boolean isAbandoned;
    private volatile String fault;
    private volatile boolean isMarking;

    /** @param frontend connected; the first queue pair is used. */
    DescriptorLedger(final Frontend frontend)
    {
        receive = new Book(frontend, 0, true);
        transmit = new Book(frontend, 1, false);
    }

    /** The rings have been set up. */
    void start()
    {
        driver.start();
    }

    private void run()
    {
        try
        {
            while (!isAbandoned && (!isEnding || transmit.out() > 0))
            {
                final boolean isMarked = isMarking;
                final int work = receive.turn(true) + transmit.turn(!isEnding);
                if (isMarked)
                {
                    receive.backSinceNs = 0;
                    transmit.backSinceNs = 0;
                    isMarking = false;
                }
                if (0 == work)
                {
                    LockSupport.parkNanos(20_000);
                }
            }
        }
        catch (final RuntimeException ex)
        {
            fault = ex.toString();
        }
    }

    /** Sends nothing more, and waits until all that was sent is back. @return whether it came. */
    boolean end(final Duration limit) throws InterruptedException
    {
        isEnding = true;
        driver.join(limit.toMillis());
        return !driver.isAlive();
    }

    /** The rings may go. */
    @Override
    public void close()
    {
        isAbandoned = true;
        while (driver.isAlive())
        {
            LockSupport.parkNanos(1_000_000);
        }
    }

    /** Nobody serves the rings. What comes back after what is there already is noted by its time. */
    void mark()
    {
        isMarking = true;
        while (isMarking && driver.isAlive())
        {
            LockSupport.parkNanos(20_000);
        }
    }

    /** When the first chain of each ring had come back since the mark, by the nano clock; 0 before that. */
    long backNs()
    {
        final long receiveNs = receive.backSinceNs;
        final long transmitNs = transmit.backSinceNs;
        return 0 == receiveNs || 0 == transmitNs ? 0 : Math.max(receiveNs, transmitNs);
    }

    /** What went wrong; null for nothing. */
    String fault()
    {
        return fault;
    }

    long received()
    {
        return receive.back;
    }

    long transmitted()
    {
        return transmit.back;
    }

    /** Everything, for people. */
    @Override
    public String toString()
    {
        return transmit.back + " of " + transmit.lent + " chains sent, " + receive.back + " of " + receive.lent +
            " filled";
    }

    /** The ledger of one ring. */
    private static final class Book
    {
        private final FrontendRing frontendRing;
        private final DriverRing ring;
        private final boolean isReceive;
        private final long start;
        private final int slot;
        private final int[] out;
        private volatile long lent;
        private volatile long back;
        /** When the first chain came back since the mark; 0 before that. */
        private volatile long backSinceNs;

        Book(final Frontend frontend, final int index, final boolean isReceive)
        {
            frontendRing = frontend.ring(index);
            ring = frontendRing.ring();
            this.isReceive = isReceive;
            slot = isReceive ? ROOM : HEADER + SENT;
            final int offset = frontend.memory().allocate(ring.size() * slot, 64);
            start = frontend.memory().guestAddress(offset);
            out = new int[ring.size()];
            for (int i = 0; i < ring.size() && !isReceive; i++)
            {
                write(frontend, offset + i * slot);
            }
        }

        /** A frame to an address that nobody has: the host's kernel counts and drops it. */
        private static void write(final Frontend frontend, final int at)
        {
            frontend.memory().buffer().putLong(at + HEADER, 0x0000_0002_0504_0302L);
            frontend.memory().buffer().putLong(at + HEADER + 6, 0x0008_0706_0504_0302L);
        }

        int out()
        {
            return (int)(lent - back);
        }

        int turn(final boolean lends)
        {
            int work = 0;
            for (int id = ring.poll(); DriverRing.NONE != id; id = ring.poll())
            {
                final int expected = out[(int)(back % out.length)];
                if (id != expected)
                {
                    throw new IllegalStateException("chain " + id + " of ring " + frontendRing.index() + " is back " +
                        "instead of " + expected + ", number " + back);
                }
                if (isReceive && (ring.usedLength() < HEADER + MIN_FRAME || ring.usedLength() > ROOM))
                {
                    throw new IllegalStateException("a frame of " + ring.usedLength() + " bytes with its header");
                }
                back++;
                work++;
                if (0 == backSinceNs)
                {
                    backSinceNs = System.nanoTime();
                }
            }
            while (lends && lent - back < out.length)
            {
                final int place = (int)(lent % out.length);
                final int id = ring.add(start + (long)place * slot, slot, isReceive);
                if (DriverRing.FULL == id)
                {
                    break;
                }
                out[place] = id;
                lent++;
                work++;
            }
            if (ring.publish())
            {
                frontendRing.kick().signal();
            }
            return work;
        }
    }
}
