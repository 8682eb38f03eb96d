package io.ringtap.vhost.session;

import io.ringtap.vhost.protocol.Request;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/**
 * Fuzz target: what a front-end says, message by message or as bare bytes, to a session in each of its states. Nothing
 * fails that is ours, and no descriptor or mapping is left behind. Found by name, run by {@code FuzzIT}.
 */
public final class SessionFuzz
{
    private static final int MOST_MESSAGES = 64;
    private static final int COUNT_EVERY = 64;
    private static final int PADDING = 1024;
    private static final int EACH = Long.BYTES * 3 + 3;
    private static SessionFixture fixture;
    private static int open;
    private static int runs;

    private SessionFuzz()
    {
    }

    /** The target. */
    public static void fuzzerTestOneInput(final byte[] data)
    {
        if (data.length < 2)
        {
            return;
        }
        if (null == fixture)
        {
            fixture = new SessionFixture(4);
            fixture.running().hangUp();
            open = OpenDescriptors.count();
        }
        fixture.dataPlane.takeCalls();
        final ByteBuffer in = ByteBuffer.wrap(Arrays.copyOf(data, data.length + PADDING))
            .order(ByteOrder.LITTLE_ENDIAN);
        final int state = in.get();
        final FrontendScript script = switch (state & 3)
        {
            case 0 -> fixture.connect();
            case 1 -> fixture.negotiated();
            default -> fixture.running();
        };
        if ((state & 4) != 0)
        {
            script.tryWrite(Arrays.copyOfRange(data, 1, Math.min(data.length, 4096)), fixture.guest.memory.number());
            script.settle();
        }
        else
        {
            for (int i = 0; i < MOST_MESSAGES && in.position() < data.length && fixture.agent.isConnected(); i++)
            {
                say(script, in);
                script.settle();
                script.listen();
            }
        }
        script.hangUp();
        script.close();
        judge();
    }

    /** Inputs to begin with: every request once, in each state, with what belongs to it. */
    public static List<byte[]> seeds()
    {
        final List<byte[]> seeds = new ArrayList<>();
        for (int state = 0; state < 3; state++)
        {
            for (final Request request : Request.values())
            {
                final ByteBuffer seed = ByteBuffer.allocate(EACH + 1).order(ByteOrder.LITTLE_ENDIAN);
                seed.put((byte)state).put((byte)request.code()).put((byte)(1 | request.descriptors().max() << 1 & 0x0e))
                    .put((byte)0).putLong(1).putLong(TestGuest.FRONTEND_ADDRESS).putLong(TestGuest.SIZE);
                seeds.add(seed.array());
            }
        }
        seeds.add(ByteBuffer.allocate(1 + 2 * EACH).order(ByteOrder.LITTLE_ENDIAN).put((byte)1)
            .put((byte)5).put((byte)3).put((byte)1).putLong(0).putLong(0).putLong(0)
            .put((byte)9).put((byte)1).put((byte)2).putLong(0).putLong(0).putLong(0).array());
        seeds.add(ByteBuffer.allocate(1 + 12).order(ByteOrder.LITTLE_ENDIAN).put((byte)4)
            .putInt(1).putInt(1).putInt(0).array());
        return seeds;
    }

    /** One message: code, flags and count of descriptors, kind of payload, payload. */
    private static void say(final FrontendScript script, final ByteBuffer in)
    {
        final int code = in.get() & 0x3f;
        final int how = in.get();
        final int kind = in.get() & 0xff;
        final Request request = Request.byCode(code);
        byte[] payload;
        if ((kind & 3) == 1)
        {
            payload = fixture.guest.table();
        }
        else if ((kind & 3) == 2)
        {
            payload = TestGuest.address(kind >> 2 & 7);
        }
        else
        {
            payload = new byte[null == request ? kind : request.payload().minLength()];
            in.get(payload, 0, Math.min(payload.length, Math.min(in.remaining(), 400)));
        }
        if ((how & 0x40) != 0)
        {
            payload = Arrays.copyOf(payload, in.get() & 0xff);
        }
        final int[] descriptors = new int[how >> 1 & 7];
        for (int i = 0; i < descriptors.length; i++)
        {
            descriptors[i] = (how >> 4 & 1) == 0 ? fixture.guest.memory.number() : fixture.guest.event.number();
        }
        final int flags = FrontendScript.VERSION | ((how & 1) == 0 ? FrontendScript.NEED_REPLY : 0);
        script.tryWrite(FrontendScript.message(code, flags, payload), descriptors);
    }

    private static void judge()
    {
        if (0 != fixture.count(SessionCounter.SESSION_FAILURES))
        {
            fixture = null;
            throw new IllegalStateException("a fault of ours ended the session: see the log");
        }
        if (0 != fixture.dataPlane.regionCount() || fixture.agent.isConnected())
        {
            throw new IllegalStateException("memory or a connection is left");
        }
        runs++;
        if (runs % COUNT_EVERY == 0)
        {
            final int now = OpenDescriptors.count();
            if (now != open)
            {
                throw new IllegalStateException(now + " descriptors are open, " + open + " were");
            }
        }
    }
}
