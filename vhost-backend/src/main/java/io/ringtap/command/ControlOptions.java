package io.ringtap.command;

import io.ringtap.vhost.ops.CommandException;
import io.ringtap.vhost.ops.ControlClient;
import io.ringtap.vhost.ops.Json;
import picocli.CommandLine.Option;

import java.io.PrintWriter;
import java.util.LinkedHashMap;
import java.util.Map;

/** What the commands to a running backend have in common: which backend, which port, and how the answer looks. */
final class ControlOptions
{
    @Option(names = "--control", paramLabel = "PATH", required = true,
        description = "Control socket of the backend: what it was started with as --control=PATH.")
    private String path;

    @Option(names = "--port", paramLabel = "NAME",
        description = "Port of a backend that serves several; with one port it can be left out.")
    private String port;

    @Option(names = "--json", description = "Print the answer as it came: one JSON object.")
    private boolean isJson;

    String path()
    {
        return path;
    }

    boolean isJson()
    {
        return isJson;
    }

    /** A request with the port in it. */
    Map<String, Object> request(final String command)
    {
        final Map<String, Object> request = new LinkedHashMap<>();
        request.put("command", command);
        if (null != port)
        {
            request.put("port", port);
        }
        return request;
    }

    /** @throws CommandException with what the backend answered, when that is an error. */
    Map<String, Object> ask(final Map<String, Object> request)
    {
        try (ControlClient client = connect())
        {
            return client.ask(request);
        }
    }

    ControlClient connect()
    {
        return ControlClient.connect(path);
    }

    /** Prints the answer as it came, when that is what the user wants. */
    boolean printedJson(final PrintWriter out, final Map<String, Object> answer)
    {
        if (isJson)
        {
            out.println(Json.text(answer));
        }
        return isJson;
    }
}
