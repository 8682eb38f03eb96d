package io.ringtap.vhost.ops;

import io.ringtap.vhost.session.SocketAccess;
import org.agrona.CloseHelper;
import org.agrona.concurrent.AgentRunner;
import org.agrona.concurrent.NoOpIdleStrategy;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Random;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

/** The control socket: what clients get, and what hostile ones do not get. */
class ControlServerTest
{
    @TempDir
    private Path directory;
    private String path;
    private ControlServer server;
    private AgentRunner runner;

    @BeforeEach
    void open()
    {
        path = directory.resolve("control").toString();
        final ControlCommands commands = new ControlCommands()
            .register("echo", "answers with text", (request) -> Map.of("text", request.text("text")))
            .register("long", "answers with count characters",
                (request) -> Map.of("text", "x".repeat(request.number("count", 0, Integer.MAX_VALUE, 0))))
            .register("break", "fails", (request) ->
            {
                throw new IllegalStateException("broken\nin two lines");
            });
        server = new ControlServer(path, new SocketAccess(ControlServer.DEFAULT_MODE, null, null), commands);
        runner = new AgentRunner(NoOpIdleStrategy.INSTANCE, Throwable::printStackTrace, null, server);
        AgentRunner.startOnThread(runner);
    }

    @AfterEach
    void close()
    {
        server.wakeUp();
        CloseHelper.close(runner);
        assertFalse(Files.exists(Path.of(path)), "the socket's file stays");
    }

    @Test
    void shouldAnswerRequestsAndRepeatTheirIds() throws Exception
    {
        assertEquals("rw-------", PosixFilePermissions.toString(Files.getPosixFilePermissions(Path.of(path))));
        try (ControlClient client = ControlClient.connect(path))
        {
            assertEquals(Map.of("text", "grüß"), client.ask(Map.of("command", "echo", "text", "grüß")));
            assertEquals("{\"id\":7,\"result\":{\"text\":\"a\"}}",
                client.exchange("{\"id\":7,\"command\":\"echo\",\"text\":\"a\"}"));
            assertTrue(client.ask(Map.of("command", "help")).containsKey("echo"));
        }
    }

    @Test
    void shouldMakeItsFileAgain() throws Exception
    {
        try (ControlClient client = ControlClient.connect(path))
        {
            Files.delete(Path.of(path));
            // It looks now and then, and whenever a client says something.
            while (!Files.exists(Path.of(path)))
            {
                assertEquals(Map.of("text", "a"), client.ask(Map.of("command", "echo", "text", "a")));
            }
            // The file is there before anybody listens; who answers once more listens.
            assertEquals(Map.of("text", "a"), client.ask(Map.of("command", "echo", "text", "a")));
        }
        try (ControlClient client = ControlClient.connect(path))
        {
            assertEquals(Map.of("text", "b"), client.ask(Map.of("command", "echo", "text", "b")));
        }
    }

    @Test
    void shouldSayInAnErrorObjectWhatIsWrong()
    {
        try (ControlClient client = ControlClient.connect(path))
        {
            for (final String line : List.of("nonsense", "[]", "{}", "{\"command\":\"echo\"}", "{\"command\":3}",
                "{\"command\":\"no\"}", "{\"command\":\"echo\",\"command\":\"echo\"}", "{\"command\":\"break\"}",
                "{\"command\":\"echo\",\"text\":[1]} {}", "{\"a\":".repeat(100), "{\"command\":\"long\",\"count\":-1}",
                "{\"command\":\"long\",\"count\":99999999}", "{\"x\":" + "9".repeat(1000) + "}"))
            {
                final Map<String, Object> answer = Json.object(client.exchange(line));
                final Map<?, ?> error = (Map<?, ?>)answer.get("error");
                assertEquals(List.of("value", "limit", "remedy", "text"), List.copyOf(error.keySet()), line);
            }
            assertEquals(Map.of("text", "still here"), client.ask(Map.of("command", "echo", "text", "still here")));
        }
    }

    @Test
    void shouldSendLongAnswersToOneThatReadsLateWhileOthersAreServed()
    {
        try (ControlClient slow = ControlClient.connect(path); ControlClient quick = ControlClient.connect(path))
        {
            final Thread asker = new Thread(() ->
                assertEquals(3_000_000, ((String)slow.ask(Map.of("command", "long", "count", 3_000_000))
                    .get("text")).length()));
            asker.start();
            assertEquals(Map.of("text", "a"), quick.ask(Map.of("command", "echo", "text", "a")));
            asker.join();
        }
        catch (final InterruptedException ex)
        {
            throw new AssertionError(ex);
        }
    }

    @Test
    void shouldRefuseALineWithoutEndAndAClientTooMany()
    {
        try (ControlClient client = ControlClient.connect(path))
        {
            assertTrue(client.exchange("x".repeat(2 * ControlServer.MAX_LINE)).contains("limit of a line"));
        }
        catch (final CommandException hungUp)
        {
            // It may go while we still send: that is its right.
            assertTrue(hungUp.getMessage().contains("hung up"));
        }
        final List<ControlClient> clients = new ArrayList<>();
        for (int i = 0; i < ControlServer.MAX_CLIENTS; i++)
        {
            clients.add(ControlClient.connect(path));
            clients.get(i).ask(Map.of("command", "help"));
        }
        try (ControlClient extra = ControlClient.connect(path))
        {
            assertThrows(CommandException.class, () -> extra.ask(Map.of("command", "help")));
        }
        CloseHelper.closeAll(clients);
        try (ControlClient next = ControlClient.connect(path))
        {
            assertEquals(Map.of("text", "room"), next.ask(Map.of("command", "echo", "text", "room")));
        }
    }

    @Test
    void shouldOutliveRandomBytes()
    {
        final long seed = Long.getLong("ringtap.test.seed", System.nanoTime());
        final Random random = new Random(seed);
        for (int i = 0; i < 200; i++)
        {
            try (ControlClient client = ControlClient.connect(path))
            {
                final StringBuilder line = new StringBuilder();
                for (int k = random.nextInt(400); k >= 0; k--)
                {
                    line.append("{}[]\":,\\u0019eE-+.truefalsn \u0000\u00e4\ud83d".charAt(random.nextInt(31)));
                }
                final String text = line.toString().isBlank() ? "x" : line.toString();
                assertTrue(Json.object(client.exchange(text)).containsKey("error"), "seed " + seed + ": " + text);
            }
        }
    }
}
