package io.ringtap.it.rig;

import java.io.IOException;
import java.io.InputStream;
import java.net.HttpURLConnection;
import java.net.URI;
import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;

/** Prometheus itself, unpacked and not installed: what it says of our metrics is what its users get. */
public final class Prometheus
{
    private static final String PACKAGE = "prometheus";
    private static final Duration LIMIT = Duration.ofSeconds(60);
    private static final String ADDRESS = "127.0.0.1:9090";

    private final Lab lab;

    private Prometheus(final Lab lab)
    {
        this.lab = lab;
    }

    /** Brings its programs into the cache. */
    public static void provide()
    {
        synchronized (Prometheus.class)
        {
            final Path ready = root();
            if (Files.exists(ready.resolve("complete")))
            {
                return;
            }
            Requirement.demand(Apt.exists(), "prometheus is unpacked from a Debian package, and there is no apt here");
            Progress.say("downloading " + PACKAGE);
            final Path work = HostFiles.directories(Settings.cache()).resolve("prometheus.tmp");
            HostFiles.deleteTree(work);
            final Apt apt = Apt.system();
            try
            {
                apt.unpack(List.of(PACKAGE), work.resolve("debs"), work.resolve("root"));
            }
            catch (final RigException stale)
            {
                apt.update();
                apt.unpack(List.of(PACKAGE), work.resolve("debs"), work.resolve("root"));
            }
            HostFiles.deleteTree(work.resolve("debs"));
            HostFiles.write(work.resolve("complete"), "");
            HostFiles.deleteTree(ready);
            try
            {
                Files.move(work, ready);
            }
            catch (final IOException ex)
            {
                throw new RigException("cannot move " + work + " to " + ready, ex);
            }
        }
    }

    /** Scrapes {@code target} five times a second, inside the lab's namespace. */
    public static Prometheus start(final Lab lab, final String target)
    {
        final Path config = lab.file("prometheus.yml");
        HostFiles.write(config, "global:\n  scrape_interval: 200ms\n  scrape_timeout: 200ms\n" +
            "scrape_configs:\n  - job_name: ringtap\n    static_configs:\n      - targets: ['" + target + "']\n");
        final Prometheus started = new Prometheus(lab);
        lab.start("prometheus", program("prometheus").toString(), "--config.file=" + config,
            "--storage.tsdb.path=" + lab.file("prometheus-data"), "--web.listen-address=" + ADDRESS,
            "--web.console.templates=/nonexistent", "--web.console.libraries=/nonexistent", "--log.level=warn");
        Await.until("Prometheus to be ready", LIMIT, () -> started.get("/-/ready") != null);
        return started;
    }

    /**
     * Evaluates an expression now.
     *
     * @return the answer as JSON.
     */
    public String query(final String expression)
    {
        final String answer = get("/api/v1/query?query=" + URLEncoder.encode(expression, StandardCharsets.UTF_8));
        return null == answer ? "no answer" : answer;
    }

    /** What {@code promtool check metrics} has to say of an exposition; empty when nothing. */
    public static String check(final Path exposition)
    {
        final Shell.Result result = Shell.run(LIMIT, Map.of(), List.of(
            "sh", "-c", "exec \"$0\" check metrics < \"$1\"", program("promtool").toString(), exposition.toString()));
        return result.isSuccess() ? result.output() : "exit " + result.exitCode() + ": " + result.output();
    }

    /** A page of whatever listens inside a namespace; null when nobody answers. */
    public static String get(final Lab lab, final String url, final String accept)
    {
        return NetnsThread.call(lab.netns(), () ->
        {
            try
            {
                final HttpURLConnection connection = (HttpURLConnection)URI.create(url).toURL().openConnection();
                connection.setRequestProperty("Accept", accept);
                try (InputStream in = connection.getInputStream())
                {
                    return new String(in.readAllBytes(), StandardCharsets.UTF_8);
                }
            }
            catch (final IOException ex)
            {
                return null;
            }
        });
    }

    private String get(final String path)
    {
        return get(lab, "http://" + ADDRESS + path, "application/json");
    }

    private static Path root()
    {
        return Settings.cache().resolve("prometheus");
    }

    private static Path program(final String name)
    {
        return root().resolve("root/usr/bin").resolve(name);
    }
}
