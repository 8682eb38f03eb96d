package io.ringtap.it;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.ringtap.frontend.FrameSpec;
import io.ringtap.frontend.FrameSpec.ChecksumMode;
import io.ringtap.frontend.FrontendConfig;
import io.ringtap.frontend.Guest;
import io.ringtap.frontend.GuestAddresses;
import io.ringtap.frontend.GuestConfig;
import io.ringtap.frontend.MacAddress;
import io.ringtap.frontend.PktgenConfig;
import io.ringtap.it.rig.Await;
import io.ringtap.it.rig.HostFiles;
import io.ringtap.it.rig.Lab;
import io.ringtap.it.rig.Progress;
import io.ringtap.it.rig.Prometheus;
import io.ringtap.it.rig.Ringtap;
import io.ringtap.it.rig.Settings;
import io.ringtap.vhost.ops.Json;
import java.net.InetAddress;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

/** What Prometheus makes of our metrics, and what Grafana would show: every panel's expressions have answers. */
class MetricsIT
{
    private static final Duration LIMIT = Duration.ofSeconds(60);
    private static final String TARGET = "127.0.0.1:9431";
    private static final String METRICS = "http://" + TARGET + "/metrics";
    private static final String MAC = "52:54:00:12:34:56";

    private static Lab lab;
    private static Guest guest;

    @BeforeAll
    static void serve() throws Exception
    {
        Prometheus.provide();
        lab = Lab.open(MetricsIT.class);
        final Path socket = lab.socket("vhost.sock");
        Ringtap.serve(lab, "ringtap", socket, "--tap=" + Wire.TAP, "--metrics=" + TARGET, "--queues=2",
            "--filter=UdpPortFilter:53", "--capture=" + lab.file("all.pcapng"));
        Await.until("the TAP", LIMIT, () -> lab.netns().hasInterface(Wire.TAP));
        Wire.raise(lab.netns());
        guest = new Guest(new FrontendConfig().socketPath(socket.toString()).queuePairs(2),
            new GuestConfig().addresses(
                new GuestAddresses(MacAddress.parse(MAC), InetAddress.getByName(Wire.GUEST), null)));
        guest.start();
        lab.netns().check("ping", "-q", "-c", "20", "-i", "0.02", "-W", "10", Wire.GUEST);
        guest.generate(new PktgenConfig().spec(new FrameSpec(
            MacAddress.parse(MAC), MacAddress.parse("02:00:00:00:00:99"), InetAddress.getByName(Wire.GUEST),
            InetAddress.getByName(Wire.HOST), false, 10_000, 9, ChecksumMode.FULL)).sizes(200).rate(5_000));
    }

    @AfterAll
    static void takeDown()
    {
        if (null != guest)
        {
            guest.close();
        }
        if (null != lab)
        {
            lab.close();
        }
    }

    @Test
    void shouldPleasePrometheussOwnLinter()
    {
        Await.until("an answer", LIMIT, () -> null != Prometheus.get(lab, METRICS, "text/plain"));
        final Path file = lab.file("metrics.txt");
        final String text = Prometheus.get(lab, METRICS, "text/plain");
        assertNotNull(text);
        HostFiles.write(file, text);
        assertEquals("", Prometheus.check(file));
        Progress.say("promtool has nothing to say about " +
            text.lines().filter((line) -> !line.startsWith("#")).count() + " samples");
    }

    @Test
    void shouldHaveAnAnswerForEveryExpressionOfTheDashboard()
    {
        final Prometheus prometheus = Prometheus.start(lab, TARGET);
        Await.until("a rate", LIMIT, () -> isAnswered(prometheus.query("rate(ringtap_frames_total[2s])")));
        final List<String> silent = new ArrayList<>();
        final List<String> expressions = expressions();
        for (final String expression : expressions)
        {
            // The linter of expressions is Prometheus itself: it refuses what it cannot parse.
            final String said = prometheus.query(expression);
            if (!isAnswered(said))
            {
                silent.add(expression + " -> " + said);
            }
        }
        assertEquals(List.of(), silent);
        assertTrue(expressions.size() >= 30, expressions.size() + " expressions");
        Progress.say(expressions.size() + " expressions of the dashboard have answers");
    }

    private static boolean isAnswered(final String json)
    {
        return json.contains("\"status\":\"success\"") && !json.contains("\"result\":[]");
    }

    /** Those of all panels, with the variables filled in as Grafana does. */
    private static List<String> expressions()
    {
        final Map<String, Object> dashboard = Json.object(
            HostFiles.read(Settings.root().resolve("packaging/grafana/ringtap.json")));
        final List<String> expressions = new ArrayList<>();
        for (final Object panel : (List<?>)dashboard.get("panels"))
        {
            if (((Map<?, ?>)panel).get("targets") instanceof List<?> targets)
            {
                for (final Object target : targets)
                {
                    expressions.add(String.valueOf(((Map<?, ?>)target).get("expr"))
                        .replace("$__rate_interval", "2s").replace("$instance", ".*").replace("$port", ".*"));
                }
            }
        }
        return expressions;
    }
}
