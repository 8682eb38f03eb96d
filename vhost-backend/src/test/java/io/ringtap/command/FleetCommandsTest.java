package io.ringtap.command;

import io.ringtap.BackendConfig;
import io.ringtap.Fleet;
import io.ringtap.FleetConfig;
import io.ringtap.PortKind;
import io.ringtap.ProcessConfig;
import io.ringtap.vhost.ops.ControlCommands;
import io.ringtap.vhost.ops.NicDirectory;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

/** NICs that come and go by command. */
class FleetCommandsTest
{
    private final NicDirectory nics = new NicDirectory();
    private final ControlCommands commands = new ControlCommands();

    @TempDir
    private Path directory;
    private Fleet fleet;

    @BeforeEach
    void launch()
    {
        final BackendConfig nic = BackendConfig.builder().socketPath(directory.resolve("first").toString())
            .port(PortKind.NULL, null).conclude();
        fleet = Fleet.launch(new FleetConfig(ProcessConfig.of(nic), Map.of(FleetConfig.LONE, nic)), nics);
        new FleetCommands(fleet, () -> {}).register(commands);
    }

    @AfterEach
    void close()
    {
        fleet.close();
        assertTrue(nics.all().isEmpty());
    }

    @Test
    void shouldAddFromOptionsAndRemove()
    {
        final String words = "--socket-path=" + directory.resolve("second") + "\\n--null\\n--queues=2";
        assertEquals("{\"result\":{\"added\":[\"b\"]}}",
            answer("\"command\":\"port.add\",\"port\":\"b\",\"words\":\"" + words + "\""));
        assertEquals(2, nics.all().size());
        assertTrue(Files.exists(directory.resolve("second")));
        assertTrue(answer("\"command\":\"port.states\"").contains("\"port\":\"b\",\"state\":\"serving\""));
        assertEquals("{\"result\":{\"removed\":\"b\"}}", answer("\"command\":\"port.remove\",\"port\":\"b\""));
        assertFalse(Files.exists(directory.resolve("second")));
        assertTrue(answer("\"command\":\"port.remove\",\"port\":\"b\"").contains(
            "port b: there is no such port; give one of null"));
        assertEquals("{\"result\":{\"removed\":\"null\"}}",
            answer("\"command\":\"port.remove\",\"port\":\"null\""));
    }

    @Test
    void shouldAddAllOfAFileOrNothing() throws Exception
    {
        final String yaml = "ports: {b: {socket-path: " + directory.resolve("b") + ", null: true}, " +
            "c: {socket-path: " + directory.resolve("c") + ", null: true}}";
        final String request = "\"command\":\"port.add\",\"file\":\"p.yaml\",\"yaml\":\"" + yaml + "\"";
        Files.createFile(directory.resolve("c"));
        assertTrue(answer(request).contains("exists and is not a socket"), answer(request));
        assertEquals(1, nics.all().size());
        Files.delete(directory.resolve("c"));
        assertEquals("{\"result\":{\"added\":[\"b\",\"c\"]}}", answer(request));
        assertTrue(answer(request).contains("there is one of that name"));
        assertEquals(3, nics.all().size());
    }

    @Test
    void shouldSayWhatIsWrongWithARequest()
    {
        assertTrue(answer("\"command\":\"port.add\",\"port\":\"b\",\"words\":\"--nonsense\"").contains(
            "they are not options of one NIC"));
        assertTrue(answer("\"command\":\"port.add\",\"port\":\"b\",\"words\":\"--verbose\"").contains(
            "they are not options of one NIC"));
        assertTrue(answer("\"command\":\"port.add\",\"port\":\"b\",\"words\":\"--null\"").contains("no socket"));
        assertTrue(answer("\"command\":\"port.add\",\"port\":\"b c\",\"words\":\"--null\\n--socket-path=/x\"")
            .contains("a name is 1 to 32 letters"));
        assertTrue(answer("\"command\":\"port.add\",\"file\":\"p.yaml\",\"yaml\":\"ports: {a: {mtu: 1}}\"").contains(
            "p.yaml:1:18: mtu: 1: not a number from 68 to 65521"));
    }

    private String answer(final String fields)
    {
        return commands.answer("{" + fields + "}");
    }
}
