package io.ringtap.vhost.session;

import static io.ringtap.vhost.protocol.Request.GET_FEATURES;
import static io.ringtap.vhost.protocol.Request.GET_QUEUE_NUM;
import static io.ringtap.vhost.protocol.Request.SET_OWNER;
import static io.ringtap.vhost.protocol.Request.SET_VRING_CALL;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTimeoutPreemptively;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.time.Duration;
import java.util.concurrent.atomic.AtomicInteger;

import io.ringtap.sys.Fd;
import org.agrona.concurrent.AgentRunner;
import org.agrona.concurrent.NoOpIdleStrategy;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** Front-ends that come, go, misbehave and come again. */
class SessionAgentTest
{
    private final SessionFixture fixture = new SessionFixture(2);
    private final FakeDataPlane dataPlane = fixture.dataPlane;

    @AfterEach
    void tearDown()
    {
        fixture.close();
    }

    @Test
    void shouldTakeTheLinkUpAndDown()
    {
        final FrontendScript script = fixture.connect();
        assertTrue(fixture.agent.isConnected());
        assertEquals("link up", dataPlane.takeCalls());

        script.hangUp();

        assertFalse(fixture.agent.isConnected());
        assertEquals("reset, link down", dataPlane.takeCalls());
    }

    @Test
    void shouldSendASecondFrontendAwayAndServeTheFirst()
    {
        try (FrontendScript first = fixture.running();
            FrontendScript second = fixture.connect();
            FrontendScript third = fixture.connect())
        {
            assertTrue(second.isClosedByPeer());
            assertTrue(third.isClosedByPeer());
            assertEquals(2, fixture.count(SessionCounter.SECOND_FRONTENDS));
            assertEquals(2, first.askU64(GET_QUEUE_NUM));
            assertEquals("", dataPlane.takeCalls());
        }
    }

    /** QEMU that restarts closes one connection and opens the next before we look. */
    @Test
    void shouldTakeAFrontendThatCameWhileTheOldOneWent()
    {
        final FrontendScript old = fixture.connect();
        for (int i = 0; i < 3 * SessionAgent.MAX_MESSAGES; i++)
        {
            old.write(FrontendScript.message(SET_OWNER.code(), 1, Payloads.NONE));
        }

        old.close();
        try (FrontendScript next = fixture.connect())
        {
            assertEquals(SessionFixture.OFFERED, next.askU64(GET_FEATURES));
            assertEquals(0, fixture.count(SessionCounter.SECOND_FRONTENDS));
            assertEquals(2, fixture.count(SessionCounter.SESSIONS));
        }
    }

    @Test
    void shouldLeaveNothingBehindAfterAThousandFrontends()
    {
        fixture.running().hangUp();
        final int open = OpenDescriptors.count();

        for (int i = 0; i < 1000; i++)
        {
            final FrontendScript script = fixture.connect();
            script.write(FrontendScript.message(SET_VRING_CALL.code(), 1, Payloads.withDescriptor(0)),
                fixture.guest.event.number());
            // Half of them go in the middle of a message that has brought a descriptor.
            script.write(new byte[i % 12], i % 12 > 0 ? new int[]{fixture.guest.event.number()} : new int[0]);
            script.settle();
            script.hangUp();
        }

        assertEquals(open, OpenDescriptors.count());
        assertEquals(1001, fixture.count(SessionCounter.DISCONNECTS));
        assertEquals(0, fixture.count(SessionCounter.SESSION_FAILURES));
    }

    @Test
    void shouldCloseAPeerThatNeverReadsAndServeTheNext()
    {
        try (FrontendScript deaf = fixture.connect())
        {
            int sent = 0;
            while (fixture.agent.isConnected() && sent < 1_000_000)
            {
                final byte[] message = FrontendScript.message(GET_FEATURES.code(), 1, Payloads.NONE);
                if (message.length == deaf.tryWrite(message))
                {
                    sent++;
                }

                fixture.agent.doWork();
            }

            assertFalse(fixture.agent.isConnected());
            assertEquals(1, fixture.count(SessionCounter.PROTOCOL_VIOLATIONS));
        }

        try (FrontendScript next = fixture.connect())
        {
            assertEquals(SessionFixture.OFFERED, next.askU64(GET_FEATURES));
        }
    }

    /** The kernel keeps some 280 small messages for a peer; the rest waits here until it has room. */
    @Test
    void shouldSendRepliesWhenALatePeerReads()
    {
        final int asked = 500;
        try (FrontendScript late = fixture.connect())
        {
            for (int i = 0; i < asked; i++)
            {
                late.send(GET_QUEUE_NUM, Payloads.NONE);
            }

            int read = 0;
            while (late.canRead())
            {
                assertEquals(2, late.u64(GET_QUEUE_NUM.code()));
                read++;
                if (!late.canRead())
                {
                    fixture.agent.doWork();
                }
            }

            assertEquals(asked, read);
            assertEquals(0, fixture.agent.doWork(), "the agent waits for room that it does not need");
        }
    }

    @Test
    void shouldCloseOnlyTheSessionWhenWeAreAtFault()
    {
        final FrontendScript script = fixture.running();
        final int open = OpenDescriptors.count();
        dataPlane.failure = new IllegalStateException("broken on purpose");

        script.send(SET_VRING_CALL, Payloads.withDescriptor(0), fixture.guest.event.number());

        assertTrue(script.isClosedByPeer());
        assertEquals(1, fixture.count(SessionCounter.SESSION_FAILURES));
        dataPlane.failure = null;
        script.close();
        assertTrue(OpenDescriptors.count() < open);
        try (FrontendScript next = fixture.running())
        {
            assertEquals(2, next.askU64(GET_QUEUE_NUM));
        }
    }

    @Test
    void shouldCloseOnGarbage()
    {
        try (FrontendScript script = fixture.connect())
        {
            script.write("GET / HTTP/1.1\r\n\r\n".getBytes(java.nio.charset.StandardCharsets.US_ASCII));
            script.settle();

            assertTrue(script.isClosedByPeer());
        }
    }

    @Test
    void shouldServeAnInheritedConnectionAndThenSayThatItWasTheLast()
    {
        final Fd[] ends = SessionFixture.socketPair();
        final AtomicInteger exhausted = new AtomicInteger();
        final FakeDataPlane plane = new FakeDataPlane(4);
        final SessionAgent agent = new SessionAgent(new SessionContext()
            .source(AdoptedFrontend.adopt(ends[1].release()))
            .dataPlane(plane)
            .offeredFeatures(SessionFixture.OFFERED)
            .maxSleepMs(0)
            .onExhausted(exhausted::incrementAndGet)
            .conclude());
        final FrontendScript script = new FrontendScript(agent, ends[0]);

        assertEquals(4, script.askU64(GET_QUEUE_NUM));
        assertEquals(0, exhausted.get());
        script.hangUp();
        script.settle();

        assertEquals(1, exhausted.get());
        agent.onClose();
        assertEquals("link up, reset, link down", plane.takeCalls());
    }

    @Test
    void shouldSleepUntilSomebodyWakesIt()
    {
        final SessionAgent sleeper = new SessionAgent(new SessionContext()
            .source(FrontendListener.listen(fixture.path + "2", SocketAccess.DEFAULT))
            .dataPlane(new FakeDataPlane(2))
            .conclude());
        final AgentRunner runner = new AgentRunner(
            NoOpIdleStrategy.INSTANCE, Throwable::printStackTrace, null, sleeper);
        AgentRunner.startOnThread(runner);

        assertTimeoutPreemptively(Duration.ofSeconds(20), () ->
        {
            sleeper.wakeUp();
            runner.close();
        });
        assertTrue(runner.isClosed());
    }
}
