package io.ringtap.vhost.metrics;

import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Where metrics are served: {@code HOST:PORT}, {@code [IPV6]:PORT}, or the port alone on this host's loopback.
 *
 * @param host name or address.
 * @param port 0 lets the kernel choose one.
 */
public record MetricsAddress(String host, int port)
{
    /** Nobody but this host's own users, unless the operator says otherwise: metrics tell who talks how much. */
    public static final String LOOPBACK = "127.0.0.1";

    private static final int MAX_PORT = 65_535;
    private static final Pattern FORM = Pattern.compile(
        "(?:(?<name>[A-Za-z0-9._-]{1,253})?:|\\[(?<six>[0-9a-fA-F:.]{2,45}(?:%[A-Za-z0-9._-]{1,15})?)]:)?" +
        "(?<port>[0-9]{1,5})");

    /** @return null when the text is not of that form. */
    public static MetricsAddress of(final String text)
    {
        final Matcher matcher = FORM.matcher(text);
        if (!matcher.matches() || MAX_PORT < Integer.parseInt(matcher.group("port")))
        {
            return null;
        }
        final String host = null != matcher.group("six") ? matcher.group("six") : matcher.group("name");
        return new MetricsAddress(null == host ? LOOPBACK : host, Integer.parseInt(matcher.group("port")));
    }

    /** With another port. */
    MetricsAddress port(final int chosen)
    {
        return new MetricsAddress(host, chosen);
    }

    /** As it stands in a URL. */
    @Override
    public String toString()
    {
        return (0 <= host.indexOf(':') ? "[" + host + "]" : host) + ":" + port;
    }
}
