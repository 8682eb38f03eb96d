package io.ringtap.it.fault;

import io.ringtap.it.rig.Settings;
import io.ringtap.sys.Fd;
import io.ringtap.sys.Syscalls;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.concurrent.locks.LockSupport;

/** A backend whose first NIC serves guest after guest, and loses the memory of each. */
final class TruncationBed implements AutoCloseable
{
    private static final int MOST_PUMPS = 24;
    private static final long LONGEST_WAIT_NS = 300_000;
    private static final int MOST_DATAGRAMS = 16;
    private static final int DATAGRAM = 1400;
    private static final int PAGE = 4096;

    private final Setting setting;
    private final Random random;
    private final NeighbourBed bed;
    private final MemoryFiles files;

    TruncationBed(final Setting setting, final Path jdk, final long seed)
    {
        this.setting = setting;
        random = new Random(seed);
        final List<String> process = new ArrayList<>(List.of("sandbox: on", "workers: " + setting.workers));
        if ("shared".equals(setting.workers))
        {
            process.add("worker-threads: 1");
        }
        final Path object = Settings.root().resolve("vhost-backend/src/test/resources/xdp/steer.o");
        bed = new NeighbourBed(jdk, process, List.of("io: " + setting.io), setting.hasPrograms ?
            List.of("xdp-guest: " + object + ":mark", "xdp-host: " + object + ":gate") : List.of());
        try
        {
            files = bed.lab().own(new MemoryFiles(bed.lab()));
        }
        catch (final RuntimeException ex)
        {
            bed.close();
            throw ex;
        }
    }

    NeighbourBed bed()
    {
        return bed;
    }

    MemoryFiles files()
    {
        return files;
    }

    /** One guest, whose memory goes at a moment that is drawn; its neighbours must not notice, nor the next guest. */
    void takeAway(final MemoryKind kind)
    {
        final Fd file = files.create(kind);
        try (Fd handle = Syscalls.dup(file.number());
            LooseGuest guest = new LooseGuest(
                bed.socket(), setting.features, file, NeighbourBed.mac(), bed.bridgeMac(), random))
        {
            for (int i = random.nextInt(MOST_PUMPS); i > 0; i--)
            {
                guest.pump();
                toGuest();
            }
            bed.talk();
            if (random.nextBoolean())
            {
                guest.fill();
            }
            toGuest();
            LockSupport.parkNanos((long)(random.nextDouble() * LONGEST_WAIT_NS));
            files.takeAway(kind, handle, random.nextInt(4) == 0 ? 0 : random.nextInt(MemoryFiles.SIZE) & -PAGE);
            guest.kick();
            toGuest();
            bed.check();
            files.restore(kind, handle);
        }
        finally
        {
            files.remove(kind);
        }
    }

    @Override
    public void close()
    {
        bed.close();
    }

    private void toGuest()
    {
        for (int i = random.nextInt(MOST_DATAGRAMS); i > 0; i--)
        {
            bed.toFirst(1 + random.nextInt(DATAGRAM));
        }
    }
}
