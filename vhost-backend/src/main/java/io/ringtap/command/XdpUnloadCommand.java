package io.ringtap.command;

import picocli.CommandLine.ArgGroup;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

import java.io.PrintWriter;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Callable;

/** {@code ringtap xdp unload}: takes programs off the way of frames. */
@Command(name = "unload", mixinStandardHelpOptions = true, sortOptions = false,
    description = "Detach a program from a running backend, or all of them; no frame is lost.")
final class XdpUnloadCommand implements Callable<Integer>
{
    @ArgGroup(multiplicity = "1")
    private Choice choice;

    @Mixin
    private final ControlOptions control = new ControlOptions();

    @Spec
    private CommandSpec spec;

    /** One or all. */
    static final class Choice
    {
        @Option(names = "--id", paramLabel = "ID", required = true,
            description = "The program with this id (ringtap xdp show).")
        private Integer id;

        @Option(names = "--all", required = true, description = "Every program.")
        private boolean isAll;
    }

    @Override
    public Integer call()
    {
        final Map<String, Object> request = control.request("xdp.unload");
        request.put(choice.isAll ? "all" : "id", choice.isAll ? Boolean.TRUE : choice.id);
        final Map<String, Object> answer = control.ask(request);
        final PrintWriter out = spec.commandLine().getOut();
        if (!control.printedJson(out, answer))
        {
            for (final Object each : (List<?>)answer.get("detached"))
            {
                final Map<?, ?> program = (Map<?, ?>)each;
                out.println(program.get("program") + " detached, direction " + program.get("direction"));
            }
        }
        return Program.DONE;
    }
}
