package io.ringtap.hostile;

import io.ringtap.frontend.FrontendConfig;
import io.ringtap.vhost.virtio.NetFeatures;

import java.util.function.Consumer;

/**
 * One row of the table of attacks.
 *
 * @param name     what the driver does.
 * @param layout   which rings it is possible on.
 * @param ring     the attacked ring of the first pair: {@link HostileDriver#RECEIVE} or {@link HostileDriver#SEND}.
 * @param verdict  what it may cost.
 * @param size     descriptors of each ring.
 * @param hole     bytes between the two regions of memory.
 * @param without  features that the driver does not take.
 * @param action   does it.
 */
record Attack(
    String name, Layout layout, int ring, Verdict verdict, int size, long hole, long without,
    Consumer<HostileDriver> action)
{
    static final int SIZE = 16;
    static final int LARGE = 512;
    static final long HOLE = 1 << 20;

    /** Rings that an attack is possible on. */
    enum Layout
    {
        /** Both. */
        ANY,
        /** Split only. */
        SPLIT,
        /** Packed only. */
        PACKED
    }

    static Attack sending(final String name, final Verdict verdict, final Consumer<HostileDriver> action)
    {
        return new Attack(name, Layout.ANY, HostileDriver.SEND, verdict, SIZE, 0, 0, action);
    }

    static Attack receiving(final String name, final Verdict verdict, final Consumer<HostileDriver> action)
    {
        return new Attack(name, Layout.ANY, HostileDriver.RECEIVE, verdict, SIZE, 0, 0, action);
    }

    Attack split()
    {
        return new Attack(name, Layout.SPLIT, ring, verdict, size, hole, without, action);
    }

    Attack packed()
    {
        return new Attack(name, Layout.PACKED, ring, verdict, size, hole, without, action);
    }

    Attack large()
    {
        return new Attack(name, layout, ring, verdict, LARGE, hole, without, action);
    }

    Attack withHole()
    {
        return new Attack(name, layout, ring, verdict, size, HOLE, without, action);
    }

    Attack without(final int... features)
    {
        long bits = without;
        for (final int feature : features)
        {
            bits |= NetFeatures.bit(feature);
        }
        return new Attack(name, layout, ring, verdict, size, hole, bits, action);
    }

    boolean suits(final HostileSetting setting)
    {
        return Layout.ANY == layout || Layout.PACKED == layout == setting.isPacked();
    }

    /** How the driver of this attack is to be. */
    FrontendConfig frontend(final HostileSetting setting, final String socketPath)
    {
        return new FrontendConfig().socketPath(socketPath).queuePairs(2).ringSize(size).regions(2, hole)
            .features(setting.features & ~without).timeoutMs(30_000);
    }
}
