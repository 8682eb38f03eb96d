package io.ringtap.command;

import io.ringtap.BackendConfig;
import io.ringtap.ConfigException;
import io.ringtap.FleetConfig;
import io.ringtap.PortKind;
import io.ringtap.WorkerMode;
import io.ringtap.yaml.YamlReader;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Random;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

/** From a file to many configurations, and each refusal with its place. */
class ConfigFileTest
{
    private static final int LEAST_CASES = 40;

    private static FleetConfig config(final String text)
    {
        return ConfigFile.parse("ports.yaml", text.getBytes(StandardCharsets.UTF_8), Map.of());
    }

    private static List<String> faults(final String text)
    {
        return assertThrows(ConfigFileException.class, () -> config(text)).lines();
    }

    static List<Arguments> badFiles() throws IOException
    {
        final List<Arguments> cases = new ArrayList<>();
        try (InputStream table = ConfigFileTest.class.getResourceAsStream("/config/faults.txt"))
        {
            final String text = new String(table.readAllBytes(), StandardCharsets.UTF_8);
            for (final String each : text.substring(text.indexOf("\n== ") + 1).split("(?m)^== "))
            {
                if (!each.isEmpty())
                {
                    final int file = each.indexOf('\n') + 1;
                    final int lines = each.indexOf("\n--\n", file - 1);
                    cases.add(Arguments.of(each.substring(0, file - 1), each.substring(file, lines + 1),
                        each.substring(lines + 4).lines().toList()));
                }
            }
        }
        return cases;
    }

    @ParameterizedTest(name = "{0}")
    @MethodSource("badFiles")
    void shouldSayWhatIsWrong(final String name, final String text, final List<String> expected)
    {
        final List<String> said = new ArrayList<>(faults(text));
        for (int i = 0; i < Math.min(said.size(), expected.size()); i++)
        {
            final String start = expected.get(i).replace("*", "");
            said.set(i, expected.get(i).endsWith("*") && said.get(i).startsWith(start) ? expected.get(i) : said.get(i));
        }
        assertEquals(String.join("\n", expected), String.join("\n", said));
    }

    @Test
    void shouldHaveManyCases() throws IOException
    {
        assertTrue(badFiles().size() >= LEAST_CASES, badFiles().size() + " cases");
    }

    @Test
    void shouldTakeTheOptionsOfTheCommandLineAsKeys()
    {
        final FleetConfig fleet = config(String.join("\n",
            "# two machines",
            "workers: shared",
            "worker-threads: 3",
            "worker-cpus: [0, 2-3]",
            "verbose: true",
            "metrics: 127.0.0.1:9431",
            "defaults:",
            "  queues: 2",
            "  mtu: 1450",
            "  rate: [guest:100M, \"host:1G\"]",
            "  \"null\": true",
            "  client: true",
            "  no-offload: [uso, ufo]",
            "ports:",
            "  vm1:",
            "    socket-path: /run/vm1.sock",
            "    socket-mode: 0660",
            "    client: false",
            "    tap: tap1",
            "    bridge: br0",
            "    mtu: 9000",
            "    mac: 52:54:00:12:34:56",
            "    filter:",
            "      - UdpPortFilter:53",
            "      - UdpPortFilter:54",
            "  vm2: {socket-path: /run/vm2.sock}",
            ""));
        assertEquals(List.of("vm1", "vm2"), List.copyOf(fleet.ports().keySet()));
        assertEquals(WorkerMode.SHARED, fleet.process().workers());
        assertEquals(3, fleet.process().threads());
        assertEquals(List.of(0, 2, 3), fleet.process().cpus());
        assertTrue(fleet.process().verbose());
        assertEquals("127.0.0.1:9431", fleet.process().metrics());
        final BackendConfig first = fleet.ports().get("vm1");
        assertEquals(ServeWords.conclude(ServeWords.parse(new String[]{
            "--socket-path=/run/vm1.sock", "--socket-mode=0660", "--tap=tap1", "--bridge=br0", "--queues=2",
            "--mtu=9000", "--mac=52:54:00:12:34:56", "--no-offload=uso,ufo", "--filter=UdpPortFilter:53",
            "--filter=UdpPortFilter:54", "--rate=guest:100M,host:1G"})), first);
        final BackendConfig second = fleet.ports().get("vm2");
        assertEquals(PortKind.NULL, second.portKind());
        assertEquals(1450, second.mtu());
        assertTrue(second.client());
    }

    @Test
    void shouldLetTheCommandLineWinOverTheFile()
    {
        final FleetConfig fleet = ConfigFile.parse("f", "ports: {a: {socket-path: /a, tap: t}}".getBytes(
            StandardCharsets.UTF_8), Map.of(ServeOption.VERBOSE, ""));
        assertTrue(fleet.process().verbose());
    }

    @Test
    void shouldRefuseWhatIsNotUtf8AndWhatIsTooLong()
    {
        final byte[] latin = "ports:\n  caf\u00e9: {}\n".getBytes(StandardCharsets.ISO_8859_1);
        final ConfigFileException coded =
            assertThrows(ConfigFileException.class, () -> ConfigFile.parse("f", latin, Map.of()));
        assertEquals(List.of("f:2:1: byte 12: the file is not UTF-8; save it as UTF-8"), coded.lines());
        final byte[] blanks = " ".repeat(YamlReader.MAX_BYTES + 1).getBytes(StandardCharsets.UTF_8);
        final ConfigFileException large =
            assertThrows(ConfigFileException.class, () -> ConfigFile.parse("f", blanks, Map.of()));
        assertEquals(List.of("f:1:1: 1048577 bytes: a configuration has at most 1048576; " +
            "split it over several processes"), large.lines());
    }

    @Test
    void shouldBoundPortsAndNodes()
    {
        final StringBuilder many = new StringBuilder("ports:\n");
        for (int i = 0; i <= FleetConfig.MAX_PORTS; i++)
        {
            many.append("  vm").append(i).append(": {socket-path: /run/").append(i).append(", tap: t").append(i)
                .append("}\n");
        }
        assertEquals(List.of("ports.yaml:1:1: 257 ports: a process serves 1 to 256; " +
            "spread them over several processes"), faults(many.toString()));
        final List<String> nodes = faults("ports: [" + "1,".repeat(YamlReader.MAX_NODES) + "]");
        assertEquals(1, nodes.size());
        assertTrue(nodes.get(0).contains("value number 50001: a configuration has at most 50000"), nodes.get(0));
    }

    @ParameterizedTest
    @ValueSource(strings = {"/nowhere/at/all.yaml", "/", "a\0b"})
    void shouldSayWhenAFileCannotBeRead(final String file)
    {
        final ConfigException refusal =
            assertThrows(ConfigException.class, () -> ConfigFile.read(file, Map.of()));
        assertTrue(refusal.getMessage().startsWith("--config=" + file + ": "), refusal.getMessage());
    }

    @Test
    void shouldSurviveWhateverStandsInAFile()
    {
        final long seed = 42;
        final Random random = new Random(seed);
        final String good = "defaults: {mtu: 1500, queues: 2}\nports:\n  vm1:\n    socket-path: /run/a\n" +
            "    tap: t0\n    no-offload: [tso, uso]\n  vm2: {socket-path: /run/b, \"null\": true}\n";
        final String alphabet = "{}[]:,-?&*!|>'\"%@#\n\t ~<=0azZ\u0000\u0085\u2028\ufeff\ud800";
        for (int i = 0; i < 20_000; i++)
        {
            final StringBuilder text = new StringBuilder(good);
            for (int k = random.nextInt(4); k >= 0; k--)
            {
                final int at = random.nextInt(text.length());
                final char c = alphabet.charAt(random.nextInt(alphabet.length()));
                switch (random.nextInt(3))
                {
                    case 0 -> text.setCharAt(at, c);
                    case 1 -> text.insert(at, c);
                    default -> text.deleteCharAt(at);
                }
            }
            try
            {
                config(text.toString());
            }
            catch (final ConfigFileException ex)
            {
                for (final String line : ex.lines())
                {
                    assertTrue(line.matches("ports.yaml:\\d+:\\d+: \\P{Cc}+: \\P{Cc}+; \\P{Cc}+"),
                        "seed " + seed + ", file " + text + ", line " + line);
                }
            }
        }
    }
}
