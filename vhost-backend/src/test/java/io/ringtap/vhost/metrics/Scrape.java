package io.ringtap.vhost.metrics;

import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** What a scrape brought, sample by sample, read strictly: a line that is not of the format fails the test. */
final class Scrape
{
    private static final Pattern SAMPLE = Pattern.compile(
        "([a-z_][a-z0-9_]*)(?:\\{(.*)})? (-?[0-9.]+(?:[eE][+-]?[0-9]+)?|NaN|\\+Inf)");
    private static final Pattern LABEL = Pattern.compile("([a-z_][a-z0-9_]*)=\"((?:[^\"\\\\]|\\\\.)*)\"(?:,|$)");
    private static final Pattern COMMENT = Pattern.compile("# (HELP|TYPE|UNIT) [a-z_0-9]+ .+|# EOF");

    /** One value. */
    record Sample(String name, Map<String, String> labels, double value)
    {
    }

    private final List<Sample> samples = new ArrayList<>();
    private final String text;

    private Scrape(final String text)
    {
        this.text = text;
        for (final String line : text.lines().toList())
        {
            if (line.startsWith("#"))
            {
                require(COMMENT.matcher(line).matches(), line);
                continue;
            }
            final Matcher matcher = SAMPLE.matcher(line);
            require(matcher.matches(), line);
            samples.add(new Sample(matcher.group(1), labels(matcher.group(2)),
                Double.parseDouble(matcher.group(3).replace("+Inf", "Infinity"))));
        }
    }

    static Scrape of(final MetricsAddress address, final String accept) throws IOException, InterruptedException
    {
        final HttpResponse<String> response = HttpClient.newHttpClient().send(
            HttpRequest.newBuilder(URI.create("http://" + address + "/metrics")).header("Accept", accept).build(),
            HttpResponse.BodyHandlers.ofString());
        require(200 == response.statusCode(), "status " + response.statusCode());
        return new Scrape(response.body());
    }

    String text()
    {
        return text;
    }

    List<Sample> samples()
    {
        return samples;
    }

    /** The sum of those whose labels are as given, {@code name, value, name, value}; fails when there is none. */
    double sum(final String name, final String... labels)
    {
        double sum = 0;
        int found = 0;
        for (final Sample sample : samples)
        {
            boolean isIt = sample.name().equals(name);
            for (int i = 0; isIt && i < labels.length; i += 2)
            {
                isIt = labels[i + 1].equals(sample.labels().get(labels[i]));
            }
            if (isIt)
            {
                found++;
                sum += sample.value();
            }
        }
        require(0 < found, "no " + name + " " + List.of(labels));
        return sum;
    }

    private static Map<String, String> labels(final String text)
    {
        final Map<String, String> labels = new TreeMap<>();
        final String all = null == text ? "" : text;
        final Matcher matcher = LABEL.matcher(all);
        int end = 0;
        while (end < all.length() && matcher.find() && matcher.start() == end)
        {
            require(null == labels.put(matcher.group(1), matcher.group(2)), all);
            end = matcher.end();
        }
        require(end == all.length(), all);
        return labels;
    }

    private static void require(final boolean isSo, final String what)
    {
        if (!isSo)
        {
            throw new AssertionError("not of the format, or not there: " + what);
        }
    }
}
