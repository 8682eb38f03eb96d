package io.ringtap.command;

import io.ringtap.xdp.bpf.elf.BtfPrinter;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

import java.io.PrintWriter;
import java.util.List;
import java.util.Map;

/** {@code ringtap xdp map}: the maps of programs of a running backend. */
@Command(name = "map", mixinStandardHelpOptions = true, sortOptions = false,
    synopsisSubcommandLabel = "COMMAND",
    description = {
        "Read and write the maps of attached programs while these run.",
        "",
        "Keys and values are written as their C type wants it: a number, the name of an enum, " +
            "field=value,field=value with zeros for the rest, 10.0.0.1, fe80::1, 52:54:00:12:34:56, or bytes as " +
            "hex:0a000001. Of .data, .bss and .rodata the keys are the names of variables."})
final class XdpMapCommand
{
    @Spec
    private CommandSpec spec;

    /** Which of several maps of one name. */
    static final class Owner
    {
        @Option(names = "--id", paramLabel = "ID",
            description = "Program that has the map (ringtap xdp show); needed when several objects have one of " +
                "the name.")
        private Integer id;
    }

    @Command(name = "dump", mixinStandardHelpOptions = true, description = "Show the entries of a map.")
    int dump(
        @Mixin final ControlOptions control,
        @Mixin final Owner owner,
        @Option(names = "--limit", paramLabel = "N", description = "Most entries; 1000 by default.")
        final Integer limit,
        @Parameters(paramLabel = "MAP", description = "Name of the map.") final String map)
    {
        final Map<String, Object> request = request(control, owner, "dump", map);
        if (null != limit)
        {
            request.put("limit", limit);
        }
        final Map<String, Object> answer = control.ask(request);
        final PrintWriter out = spec.commandLine().getOut();
        if (!control.printedJson(out, answer))
        {
            for (final Object entry : (List<?>)answer.get("values"))
            {
                print(out, (Map<?, ?>)entry);
            }
            if (!Boolean.TRUE.equals(answer.get("isWhole")))
            {
                out.println("... and more; give a larger --limit");
            }
        }
        return Program.DONE;
    }

    @Command(name = "lookup", mixinStandardHelpOptions = true, description = "Show the value of a key.")
    int lookup(
        @Mixin final ControlOptions control,
        @Mixin final Owner owner,
        @Parameters(index = "0", paramLabel = "MAP", description = "Name of the map.") final String map,
        @Parameters(index = "1", paramLabel = "KEY", description = "The key.") final String key)
    {
        final Map<String, Object> request = request(control, owner, "lookup", map);
        request.put("key", key);
        return printEntry(control, request);
    }

    @Command(name = "update", mixinStandardHelpOptions = true, description = "Store a value.")
    int update(
        @Mixin final ControlOptions control,
        @Mixin final Owner owner,
        @Option(names = "--processor", paramLabel = "N",
            description = "Store it for one processor, where each has its own; by default for all.")
        final Integer processor,
        @Parameters(index = "0", paramLabel = "MAP", description = "Name of the map.") final String map,
        @Parameters(index = "1", paramLabel = "KEY", description = "The key.") final String key,
        @Parameters(index = "2", paramLabel = "VALUE", description = "The value.") final String value)
    {
        final Map<String, Object> request = request(control, owner, "update", map);
        request.put("key", key);
        request.put("value", value);
        if (null != processor)
        {
            request.put("processor", processor);
        }
        return printEntry(control, request);
    }

    @Command(name = "delete", mixinStandardHelpOptions = true, description = "Remove a key.")
    int delete(
        @Mixin final ControlOptions control,
        @Mixin final Owner owner,
        @Parameters(index = "0", paramLabel = "MAP", description = "Name of the map.") final String map,
        @Parameters(index = "1", paramLabel = "KEY", description = "The key.") final String key)
    {
        final Map<String, Object> request = request(control, owner, "delete", map);
        request.put("key", key);
        final Map<String, Object> answer = control.ask(request);
        control.printedJson(spec.commandLine().getOut(), answer);
        return Program.DONE;
    }

    private static Map<String, Object> request(
        final ControlOptions control, final Owner owner, final String verb, final String map)
    {
        final Map<String, Object> request = control.request("xdp.map." + verb);
        request.put("map", map);
        if (null != owner.id)
        {
            request.put("id", owner.id);
        }
        return request;
    }

    private int printEntry(final ControlOptions control, final Map<String, Object> request)
    {
        final Map<String, Object> answer = control.ask(request);
        final PrintWriter out = spec.commandLine().getOut();
        if (!control.printedJson(out, answer))
        {
            print(out, answer);
        }
        return Program.DONE;
    }

    private static void print(final PrintWriter out, final Map<?, ?> entry)
    {
        out.println(BtfPrinter.text(entry.get("key")) + "  " + BtfPrinter.text(entry.get("value")));
    }
}
