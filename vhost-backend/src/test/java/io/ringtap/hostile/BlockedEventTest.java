package io.ringtap.hostile;

import io.ringtap.sys.EventFd;
import io.ringtap.sys.Fcntl;
import io.ringtap.sys.Syscalls;
import io.ringtap.vhost.protocol.Request;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

import static io.ringtap.hostile.HostileBed.await;
import static io.ringtap.hostile.RawFrontend.longs;

/**
 * A front-end that fills its own event and takes O_NONBLOCK away, so that whoever signals it waits in the kernel: the
 * worker is freed, its thread's other NICs with it, and the session can be ended.
 */
class BlockedEventTest
{
    private static final long FULL = -2;

    @ParameterizedTest
    @EnumSource(names = {"SPLIT", "SPLIT_EVENT_SHARED"})
    void shouldNotWaitForAFrontendForEver(final HostileSetting setting)
    {
        try (HostileBed bed = new HostileBed(setting))
        {
            final long before = bed.sent(HostileBed.ATTACKED, 0);
            try (EventFd call = EventFd.create();
                LooseGuest guest = new LooseGuest(bed.path(HostileBed.ATTACKED), LooseGuest.FEATURES))
            {
                guest.frontend.acked(Request.SET_VRING_CALL, longs(1), call.number());
                await(() ->
                {
                    call.drain();
                    return EventCounter.write(call.number(), FULL);
                }, "the counter cannot be filled");
                Syscalls.fcntl(call.number(), Fcntl.F_SETFL,
                    Syscalls.fcntl(call.number(), Fcntl.F_GETFL, 0) & ~Fcntl.O_NONBLOCK);
                guest.offer(100);
                guest.kick();
                await(() -> before < bed.sent(HostileBed.ATTACKED, 0), "nothing was sent");
                bed.checkNeighbour();
            }
            await(() -> !bed.attacked().session().isConnected(), "the session does not end");
            bed.checkNeighbour();
        }
    }
}
