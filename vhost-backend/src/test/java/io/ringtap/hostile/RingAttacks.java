package io.ringtap.hostile;

import io.ringtap.sys.EventFd;
import io.ringtap.vhost.protocol.Request;
import io.ringtap.vhost.protocol.VringAddressFlyweight;
import io.ringtap.vhost.protocol.VringDescriptorFlyweight;
import io.ringtap.vhost.protocol.VringStateFlyweight;
import io.ringtap.frontend.DriverRing;
import io.ringtap.frontend.FrontendConnection;
import io.ringtap.vhost.virtio.RingCounter;

import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;

import static io.ringtap.hostile.HostileDriver.OTHER_SEND;
import static io.ringtap.hostile.HostileDriver.RECEIVE;
import static io.ringtap.hostile.HostileDriver.SEND;

/** What a driver must not do to a ring as a whole: its indexes, its wishes, its place, its kicks. */
final class RingAttacks
{
    private static final int KICKS = 5000;
    private static final long FULL_COUNTER = -2;

    private final List<Attack> attacks = new ArrayList<>();

    static List<Attack> all()
    {
        final RingAttacks table = new RingAttacks();
        table.heads();
        table.jumps();
        table.freezes();
        table.wishes();
        table.storms();
        table.places();
        return table.attacks;
    }

    private void add(final String name, final Verdict verdict, final Consumer<HostileDriver> action)
    {
        attacks.add(Attack.sending(name, verdict, action));
    }

    private void addSplit(
        final int ring, final String name, final Verdict verdict, final Consumer<HostileDriver> action)
    {
        attacks.add((SEND == ring ? Attack.sending(name, verdict, action) :
            Attack.receiving("receiving, " + name, verdict, action)).split());
    }

    private void heads()
    {
        for (final int ring : new int[]{SEND, RECEIVE})
        {
            for (final int head : new int[]{Attack.SIZE, Attack.SIZE + 1, 255, 32767, 32768, 65534, 65535})
            {
                addSplit(ring, "head " + head, Verdict.ring(RingCounter.HEAD_RANGE), (d) ->
                {
                    d.remember();
                    d.split(ring).show(head);
                    d.kick(ring);
                });
            }
        }
        addSplit(SEND, "a head in the middle of a chain", Verdict.PASSES, (d) ->
        {
            d.remember();
            d.ring(SEND).driver().pokeDescriptor(0, -1, 10, Piece.NEXT, 1);
            d.ring(SEND).driver().pokeDescriptor(1, d.headerAddress(), HostileDriver.HEADER, Piece.NEXT, 2);
            d.ring(SEND).driver().pokeDescriptor(2, d.frameAddress(), WireFrames.LENGTH, 0, 0);
            d.split(SEND).show(1);
            d.kick(SEND);
        });
    }

    private void jumps()
    {
        for (final int ring : new int[]{SEND, RECEIVE})
        {
            for (final int by : new int[]{Attack.SIZE + 1, Attack.SIZE + 2, 100, 32767, 32768, 65534, 65535, -2})
            {
                addSplit(ring, "an available index that jumps by " + by, Verdict.ring(RingCounter.AVAILABLE_LEAD),
                    (d) ->
                    {
                        d.remember();
                        d.split(ring).jump(by);
                        d.kick(ring);
                    });
            }
        }
        addSplit(SEND, "an available index that goes back", Verdict.ring(RingCounter.AVAILABLE_LEAD), (d) ->
        {
            d.sendGood(SEND);
            HostileBed.await(() -> RawRing.NONE != d.ring(SEND).poll(), "no way to begin");
            d.remember();
            d.split(SEND).jump(-1);
            d.kick(SEND);
        });
        addSplit(SEND, "a whole ring of one head", Verdict.ITSELF, (d) ->
        {
            d.remember();
            d.ring(SEND).driver().pokeDescriptor(0, d.frameAddress(), 80, 0, 0);
            d.split(SEND).jump(Attack.SIZE);
            d.split(SEND).jumped(Attack.SIZE);
            d.kick(SEND);
        });
    }

    /** The driver stops to move, or moves what is not its own. */
    private void freezes()
    {
        add("kicks without anything new", Verdict.UNSEEN, (d) -> kick(d, 100));
        addSplit(SEND, "a head without the index", Verdict.UNSEEN, (d) ->
        {
            d.ring(SEND).driver().pokeDescriptor(0, d.frameAddress(), 80, 0, 0);
            d.split(SEND).split().pokeAvailable(0, 0);
            kick(d, 1);
        });
        for (final int value : new int[]{0, 1, 5, 32768, 65535})
        {
            addSplit(SEND, "a used index that the driver sets to " + value, Verdict.ITSELF, (d) ->
            {
                d.split(SEND).split().pokeUsedIndex(value);
                d.offer(SEND, d.header(), d.frame());
            });
        }
        add("a driver that never takes anything back", Verdict.ITSELF, (d) ->
        {
            for (int i = 0; i < 7; i++)
            {
                d.offer(SEND, d.header(), d.frame());
            }
        });
    }

    private void wishes()
    {
        for (final int value : new int[]{0, 1, 0x7FFF, 0x8000, 0xFFFF})
        {
            addSplit(SEND, "a used event of " + value, Verdict.PASSES, (d) ->
            {
                d.split(SEND).split().pokeUsedEvent(value);
                d.offer(SEND, d.header(), d.frame());
            });
            addSplit(SEND, "available flags of " + value, Verdict.PASSES, (d) ->
            {
                d.memory().putShort((int)(d.ring(SEND).driver().driverAddress() - d.start()), (short)value);
                d.offer(SEND, d.header(), d.frame());
            });
            addSplit(SEND, "device flags of " + value + " by the driver", Verdict.PASSES, (d) ->
            {
                d.memory().putShort((int)(d.ring(SEND).driver().deviceAddress() - d.start()), (short)value);
                d.offer(SEND, d.header(), d.frame());
            });
        }
        for (final int index : new int[]{0, Attack.SIZE - 1, Attack.SIZE, 0x7FFF})
        {
            for (int flags = 0; flags < 4; flags++)
            {
                final int wish = flags;
                attacks.add(Attack.sending("an event at " + index + " with flags " + wish, Verdict.PASSES, (d) ->
                {
                    d.packed(SEND).packed().pokeDriverEvent(index, 0 == (wish & 1), wish);
                    d.offer(SEND, d.header(), d.frame());
                }).packed());
            }
        }
    }

    private void storms()
    {
        add(KICKS + " kicks", Verdict.PASSES, (d) ->
        {
            d.remember();
            for (int i = 0; i < KICKS; i++)
            {
                d.kick(i & 3);
            }
            d.offer(SEND, d.header(), d.frame());
        });
        for (final int ring : new int[]{RECEIVE, SEND})
        {
            add("a full counter as kick of ring " + ring, Verdict.PASSES, (d) ->
            {
                fill(d.frontend().ring(ring).kick());
                d.offer(SEND, d.header(), d.frame());
            });
            add("a full counter as call of ring " + ring, Verdict.PASSES, (d) ->
            {
                fill(d.frontend().ring(ring).call());
                d.offer(SEND, d.header(), d.frame());
            });
        }
        add("a full counter as error descriptor", Verdict.PASSES, (d) ->
        {
            fill(d.frontend().ring(SEND).error());
            d.frontend().ring(SEND).error().drain();
            d.offer(SEND, d.header(), d.frame());
        });
    }

    /** Rings that lie over one another or over buffers: the guest's own affair. */
    private void places()
    {
        add("a ring in the place of the other one", Verdict.ITSELF, (d) ->
        {
            final DriverRing there = d.ring(RECEIVE).driver();
            move(d, there.descriptorAddress(), there.driverAddress(), there.deviceAddress());
            d.offer(RECEIVE, d.header(), d.frame());
            d.kick(SEND);
        });
        addSplit(SEND, "descriptors of another pair", Verdict.ITSELF, (d) ->
        {
            final DriverRing own = d.ring(SEND).driver();
            move(d, d.ring(OTHER_SEND).driver().descriptorAddress(), own.driverAddress(), own.deviceAddress());
            d.offer(SEND, d.header(), d.frame());
        });
        add("all parts of a ring in one place", Verdict.ITSELF, (d) ->
        {
            final long at = d.ring(SEND).driver().descriptorAddress();
            move(d, at, at, at);
            d.offer(SEND, d.header(), d.frame());
        });
        add("the device's part over the descriptors", Verdict.ITSELF, (d) ->
        {
            final DriverRing ring = d.ring(SEND).driver();
            move(d, ring.descriptorAddress(), ring.driverAddress(), ring.descriptorAddress());
            d.offer(SEND, d.header(), d.frame());
        });
        add("the device's part over the driver's", Verdict.ITSELF, (d) ->
        {
            final DriverRing ring = d.ring(SEND).driver();
            move(d, ring.descriptorAddress(), ring.driverAddress(), ring.driverAddress());
            d.offer(SEND, d.header(), d.frame());
        });
        add("the device's part over the frame that is sent", Verdict.ITSELF, (d) ->
        {
            final DriverRing ring = d.ring(SEND).driver();
            move(d, ring.descriptorAddress(), ring.driverAddress(), d.frameAddress());
            d.offer(SEND, d.header(), d.frame());
        });
        add("a frame out of the ring's own descriptors", Verdict.ITSELF,
            (d) -> d.offer(SEND, Piece.readable(d.ring(SEND).driver().descriptorAddress(), 128)));
        add("a frame out of the device's part", Verdict.ITSELF,
            (d) -> d.offer(SEND, Piece.readable(d.ring(SEND).driver().deviceAddress(), 64)));
    }

    /** Stops the ring that sends and starts it elsewhere, as a front-end would that the guest's driver told so. */
    private static void move(
        final HostileDriver driver, final long descriptors, final long available, final long used)
    {
        final FrontendConnection connection = driver.frontend().connection();
        final VringStateFlyweight state = new VringStateFlyweight().wrap(connection.buffer(), connection.payload());
        state.index(SEND).num(0);
        connection.ask(Request.GET_VRING_BASE, VringStateFlyweight.LENGTH, VringStateFlyweight.LENGTH);
        final long shift = driver.frontendAddress() - driver.frameAddress();
        new VringAddressFlyweight().wrap(connection.buffer(), connection.payload())
            .index(SEND).flags(0).descriptorAddress(descriptors + shift).usedAddress(used + shift)
            .availableAddress(available + shift).logGuestAddress(0);
        connection.command(Request.SET_VRING_ADDR, VringAddressFlyweight.LENGTH, new int[0], true);
        new VringDescriptorFlyweight().wrap(connection.buffer(), connection.payload()).value(SEND, true);
        connection.command(Request.SET_VRING_KICK, VringDescriptorFlyweight.LENGTH,
            new int[]{driver.frontend().ring(SEND).kick().number()}, true);
    }

    private static void kick(final HostileDriver driver, final int times)
    {
        driver.remember();
        for (int i = 0; i < times; i++)
        {
            driver.kick(SEND);
        }
    }

    /** Leaves no room for one signal more. */
    private static void fill(final EventFd event)
    {
        HostileBed.await(() ->
        {
            event.drain();
            return EventCounter.write(event.number(), FULL_COUNTER);
        }, "the counter cannot be filled");
    }
}
