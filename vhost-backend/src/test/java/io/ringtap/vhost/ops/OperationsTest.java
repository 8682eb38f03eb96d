package io.ringtap.vhost.ops;

import io.ringtap.Backend;
import io.ringtap.BackendConfig;
import io.ringtap.BackendConfigBuilder;
import io.ringtap.ConfigException;
import io.ringtap.PortKind;
import io.ringtap.port.PortNumbers;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

/** A whole backend on the null port, asked over its control socket. */
class OperationsTest
{
    @TempDir
    private Path folder;
    private Path object;

    @BeforeEach
    void copy() throws IOException
    {
        object = folder.resolve("steer.o");
        try (InputStream in = OperationsTest.class.getResourceAsStream("/xdp/steer.o"))
        {
            Files.copy(in, object);
        }
    }

    private BackendConfigBuilder config()
    {
        return BackendConfig.builder()
            .socketPath(folder.resolve("vhost").toString())
            .port(PortKind.NULL, null)
            .queues(2);
    }

    @Test
    void shouldAnswerAboutPortsLinksCountersAndPrograms()
    {
        final String path = folder.resolve("control").toString();
        final BackendConfig config = config().xdpGuest(List.of(object + ":gate", object + ":mark"))
            .xdpHost(List.of(object + ":gate")).conclude();
        try (Operations operations = new Operations(); Backend backend = Backend.launch(config))
        {
            operations.nics().add(backend.nic("vm1"));
            operations.listen(path, ControlServer.DEFAULT_MODE, (commands) ->
                commands.register("more", "of another room", (request) -> Map.of("done", true)));
            try (ControlClient client = ControlClient.connect(path))
            {
                assertEquals(true, client.ask(Map.of("command", "more")).get("done"));
                ports(client);
                counters(client);
                steering(client);
                programs(client);
            }
        }
        assertFalse(Files.exists(Path.of(path)), "the control socket stays");
    }

    private static void ports(final ControlClient client)
    {
        final Map<?, ?> port =
            (Map<?, ?>)((List<?>)client.ask(Map.of("command", "port.show")).get("ports")).get(0);
        assertEquals("vm1", port.get("port"));
        assertEquals(2L, port.get("queues"));
        assertEquals(false, port.get("connected"));
        assertEquals("down", port.get("link"));
        assertTrue((Long)port.get("number") >= PortNumbers.FIRST_ANONYMOUS);
        assertEquals("taken down", client.ask(
            Map.of("command", "port.link", "port", "vm1", "state", "down")).get("link"));
        assertEquals("down", client.ask(Map.of("command", "port.link", "state", "up")).get("link"));
        final CommandException refusal = assertThrows(CommandException.class,
            () -> client.ask(Map.of("command", "port.link", "port", "vm2", "state", "up")));
        assertEquals("port=vm2: no such port is served; name one of [vm1]", refusal.getMessage());
    }

    private static void counters(final ControlClient client)
    {
        final Map<String, Object> answer = client.ask(Map.of("command", "stats", "meanings", true));
        final List<?> sets = (List<?>)((Map<?, ?>)answer.get("ports")).get("vm1");
        final List<String> scopes =
            sets.stream().map((set) -> String.valueOf(((Map<?, ?>)set).get("scope"))).toList();
        assertTrue(scopes.containsAll(List.of("worker-0", "worker-1", "ring-0", "ring-3", "null queue 1")),
            () -> "scopes " + scopes);
        assertTrue(((Map<?, ?>)answer.get("meanings")).containsKey("hook-passed"));
    }

    private static void steering(final ControlClient client)
    {
        assertEquals(9000L, client.ask(Map.of("command", "port.mtu", "mtu", 9000)).get("mtu"));
        final Map<String, Object> rates =
            client.ask(Map.of("command", "port.rate", "guest", 100_000_000, "host", 0));
        assertEquals(100_000_000L, rates.get("guest"));
        assertEquals(0L, client.ask(Map.of("command", "port.rate", "guest", 0)).get("guest"));
        assertEquals("guest", client.ask(Map.of("command", "trace.start", "every", 5, "direction", "guest"))
            .get("direction"));
        assertEquals(List.of(), client.ask(Map.of("command", "trace.read")).get("frames"));
        assertEquals("vm1", client.ask(Map.of("command", "trace.stop")).get("port"));
        final Map<String, Object> features = client.ask(Map.of("command", "port.features"));
        assertTrue(((List<?>)features.get("offered")).size() > 5, () -> "features " + features);
        assertEquals(List.of(), features.get("acknowledged"));
        for (final Map<String, Object> wrong : List.<Map<String, Object>>of(
            Map.of("command", "port.mtu"), Map.of("command", "port.mtu", "mtu", 67),
            Map.of("command", "port.mtu", "mtu", 70_000), Map.of("command", "port.rate", "guest", 1),
            Map.of("command", "port.rate", "host", -1), Map.of("command", "port.rate", "host", "fast"),
            Map.of("command", "port.rate", "hots", 0), Map.of("command", "port.features", "port", "vm9"),
            Map.of("command", "trace.read"), Map.of("command", "trace.start", "every", 0),
            Map.of("command", "capture.start", "file", "/tmp/x", "filter", "1\n5 0 0 0")))
        {
            assertThrows(CommandException.class, () -> client.ask(wrong), wrong::toString);
        }
    }

    private static void programs(final ControlClient client)
    {
        final Map<?, ?> port =
            (Map<?, ?>)((List<?>)client.ask(Map.of("command", "xdp.show")).get("ports")).get(0);
        assertEquals(List.of("steer.o:gate", "steer.o:mark"),
            ((List<?>)port.get("guest")).stream().map((hook) -> ((Map<?, ?>)hook).get("hook")).toList());
        assertEquals(1, ((List<?>)port.get("host")).size());
        final Map<String, Object> dump = client.ask(Map.of("command", "xdp.map.dump", "map", "tallies"));
        final Map<?, ?> entry = (Map<?, ?>)((List<?>)dump.get("values")).get(0);
        assertEquals(4, ((List<?>)entry.get("value")).size(), "two directions of two pairs");
    }

    @Test
    void shouldSayInOneLineWhyAProgramCannotBeHadAndLeaveNothingOpen()
    {
        final String missing = folder.resolve("none.o").toString();
        for (final String program : List.of(missing, object.toString(), object + ":nothing"))
        {
            final ConfigException refusal = assertThrows(ConfigException.class,
                () -> Backend.launch(config().xdpHost(List.of(program)).conclude()));
            assertTrue(refusal.getMessage().startsWith("--xdp-host=" + program + ": "), refusal.getMessage());
            assertEquals(1, refusal.getMessage().lines().count());
        }
        assertFalse(Files.exists(folder.resolve("vhost")), "the socket stays");
    }
}
