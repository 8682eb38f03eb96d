package io.ringtap.command;

import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

import java.io.PrintWriter;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.concurrent.Callable;

/** {@code ringtap xdp load}: puts a program on the way of a running backend's frames. */
@Command(name = "load", mixinStandardHelpOptions = true, sortOptions = false,
    description = "Attach a program to a running backend, or put it in the place of another; no frame is lost.")
final class XdpLoadCommand implements Callable<Integer>
{
    /** Which frames. */
    enum Direction
    {
        GUEST,
        HOST,
        BOTH
    }

    @Parameters(paramLabel = "OBJ[:PROG]", description = "Object file, and a function in it where there are several.")
    private String object;

    @Option(names = "--direction", paramLabel = "guest|host|both",
        description = "Frames from the guest, frames from the host to it, or both. Not with --replace.")
    private Direction direction;

    @Option(names = "--position", paramLabel = "N",
        description = "How many programs frames meet before this one; by default all that are there.")
    private Integer position;

    @Option(names = "--replace", paramLabel = "ID",
        description = "Take the place of the program with this id (ringtap xdp show).")
    private Integer replaced;

    @Option(names = "--set", paramLabel = "VARIABLE=VALUE",
        description = "First value of a global variable, constants included. May be repeated.")
    private final Map<String, String> settings = new LinkedHashMap<>();

    @Option(names = "--entries", paramLabel = "MAP=N", description = "Size of a map. May be repeated.")
    private final Map<String, Long> entries = new LinkedHashMap<>();

    @Option(names = "--oracle", description = "Say what the kernel's verifier thinks of it; needs a backend with root.")
    private boolean isOracle;

    @Mixin
    private final ControlOptions control = new ControlOptions();

    @Spec
    private CommandSpec spec;

    @Override
    public Integer call()
    {
        final Map<String, Object> request = control.request("xdp.load");
        request.put("object", absolute(object));
        request.put("direction", null == direction ? null : direction.name().toLowerCase(Locale.ROOT));
        request.put("position", position);
        request.put("replace", replaced);
        request.put("set", settings);
        request.put("entries", entries);
        request.put("oracle", isOracle);
        request.values().removeIf((value) -> null == value);
        final Map<String, Object> answer = control.ask(request);
        final PrintWriter out = spec.commandLine().getOut();
        if (!control.printedJson(out, answer))
        {
            for (final Object each : (List<?>)answer.get("attached"))
            {
                final Map<?, ?> program = (Map<?, ?>)each;
                out.println(program.get("program") + " attached, direction " + program.get("direction") + ", id " +
                    program.get("id") + ", " + program.get("form"));
            }
            ((List<?>)answer.get("warnings")).forEach(out::println);
            if (null != answer.get("kernel"))
            {
                out.println(answer.get("kernel"));
            }
        }
        return Program.DONE;
    }

    /** The backend reads the file, and from another directory. */
    private static String absolute(final String text)
    {
        return Path.of(text).toAbsolutePath().toString();
    }
}
