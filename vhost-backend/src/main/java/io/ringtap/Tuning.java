package io.ringtap;

import io.ringtap.frag.PageArena;
import io.ringtap.port.GeneratedFrames;
import io.ringtap.port.TapOptions;

/**
 * System properties that switch an idea off or make load, so that benchmarks can measure it. They are not options,
 * because nobody who runs a guest needs them.
 */
final class Tuning
{
    /** {@code LENGTH[:FLOWS]}: the null port generates frames for the guest. */
    static final String GENERATE = "ringtap.tuning.generate";

    /** Bytes the TAP's queue may hold; anything but no limit keeps the kernel from its build_skb path. */
    static final String SEND_BUFFER = "ringtap.tuning.send-buffer";

    /** When true the TAP's ring is told of the arena once, so that writes need not look up its pages. */
    static final String REGISTER_ARENA = "ringtap.tuning.register-arena";

    /** When false frames to an AF_PACKET port take the way through the interface's queueing discipline. */
    static final String BYPASS = "ringtap.tuning.qdisc-bypass";

    private static final long GUEST_MAC = 0x0234_1200_5452L;

    private Tuning()
    {
    }

    static GeneratedFrames generated()
    {
        final String text = System.getProperty(GENERATE);
        if (null == text)
        {
            return GeneratedFrames.NONE;
        }
        final String[] parts = text.split(":", 2);
        return new GeneratedFrames(
            Integer.parseInt(parts[0]), parts.length > 1 ? Integer.parseInt(parts[1]) : 1, GUEST_MAC);
    }

    /** The arena when it is to be registered, else null. */
    static PageArena registered(final PageArena arena)
    {
        return Boolean.getBoolean(REGISTER_ARENA) ? arena : null;
    }

    static boolean bypassesQdisc()
    {
        return Boolean.parseBoolean(System.getProperty(BYPASS, "true"));
    }

    static int sendBuffer()
    {
        return Integer.getInteger(SEND_BUFFER, TapOptions.DEFAULT_SEND_BUFFER);
    }
}
