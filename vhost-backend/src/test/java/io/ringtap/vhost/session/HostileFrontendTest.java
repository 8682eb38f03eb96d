package io.ringtap.vhost.session;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.nio.ByteBuffer;
import java.util.Arrays;
import java.util.Random;

import io.ringtap.vhost.protocol.Request;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Front-ends that say whatever comes to their mind. The seed of a stream is in the message of what fails. */
class HostileFrontendTest
{
    private static final int SESSIONS = 60;
    private static final int MESSAGES = 120;

    /** Values at the edges of every field. */
    private static final long[] EDGES = {
        0, 1, 2, 3, 7, 255, 256, 257, 32768, 65535, 65536, 0x7FFF_FFFFL, 0x8000_0000L, 0xFFFF_FFFFL, 0x1_0000_0000L,
        Long.MAX_VALUE, Long.MIN_VALUE, -1, -4096, TestGuest.FRONTEND_ADDRESS, TestGuest.GUEST_ADDRESS,
        TestGuest.SIZE, TestGuest.FRONTEND_ADDRESS + TestGuest.SIZE - 16, SessionFixture.QEMU_FEATURES};

    @ParameterizedTest
    @ValueSource(longs = {1, 2, 3, 4})
    void shouldSurviveFixedSeeds(final long seed)
    {
        talk(seed);
    }

    @Test
    void shouldSurviveARandomSeed()
    {
        talk(System.nanoTime());
    }

    private void talk(final long seed)
    {
        final Random random = new Random(seed);
        final SessionFixture fixture = new SessionFixture(4);
        fixture.running().hangUp();
        final int open = OpenDescriptors.count();
        for (int i = 0; i < SESSIONS; i++)
        {
            final FrontendScript script = random.nextBoolean() ? fixture.running() : fixture.negotiated();
            for (int j = 0; j < MESSAGES && fixture.agent.isConnected(); j++)
            {
                say(script, fixture, random);
                script.settle();
                script.listen();
            }

            script.hangUp();
            assertEquals(open, OpenDescriptors.count(), "descriptors, seed " + seed);
            assertEquals(0, fixture.dataPlane.regionCount(), "memory, seed " + seed);
        }

        assertEquals(0, fixture.count(SessionCounter.SESSION_FAILURES), "faults of ours, seed " + seed);
        fixture.close();
    }

    private static void say(final FrontendScript script, final SessionFixture fixture, final Random random)
    {
        final int code = random.nextInt(20) == 0 ? random.nextInt() : random.nextInt(48);
        final Request request = Request.byCode(code);
        int length = null == request ? random.nextInt(64) : request.payload().minLength();
        if (random.nextInt(10) == 0)
        {
            length = random.nextInt(300);
        }

        final byte[] payload = Arrays.copyOf(payload(request, fixture, random), length);
        final int flags = random.nextInt(200) == 0 ? random.nextInt() : 1 | (random.nextBoolean() ? 8 : 0);
        int count = null == request ? random.nextInt(3) : request.descriptors().max();
        if (random.nextInt(10) == 0)
        {
            count = random.nextInt(16);
        }

        final int[] descriptors = new int[Math.min(count, 1 + random.nextInt(16))];
        for (int i = 0; i < descriptors.length; i++)
        {
            descriptors[i] = random.nextBoolean() ? fixture.guest.memory.number() : fixture.guest.event.number();
        }

        final byte[] message = FrontendScript.message(code, flags, payload);
        final int cut = random.nextInt(40) == 0 ? random.nextInt(message.length) : 0;
        script.tryWrite(Arrays.copyOf(message, message.length - cut), descriptors);
        if (0 != cut && random.nextInt(8) != 0)
        {
            script.settle();
            script.tryWrite(Arrays.copyOfRange(message, message.length - cut, message.length));
        }
    }

    private static byte[] payload(final Request request, final SessionFixture fixture, final Random random)
    {
        if (null != request && random.nextInt(3) == 0)
        {
            switch (request)
            {
                case SET_MEM_TABLE ->
                {
                    return fixture.guest.table();
                }
                case SET_VRING_ADDR ->
                {
                    return TestGuest.address(random.nextInt(5));
                }
                default ->
                {
                    return Payloads.buffer(40).putLong(random.nextInt(5) | (long)random.nextInt(300) << 32).array();
                }
            }
        }

        final ByteBuffer payload = Payloads.buffer(304);
        while (payload.remaining() >= Long.BYTES)
        {
            final long value = EDGES[random.nextInt(EDGES.length)];
            payload.putLong(random.nextInt(4) == 0 ? random.nextLong() : value);
        }

        return payload.array();
    }
}
