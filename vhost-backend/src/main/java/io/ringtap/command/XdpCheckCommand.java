package io.ringtap.command;

import io.ringtap.xdp.bpf.BpfMap;
import io.ringtap.xdp.bpf.BpfProgram;
import io.ringtap.xdp.bpf.elf.BpfObject;
import io.ringtap.xdp.bpf.elf.BtfPrinter;
import io.ringtap.xdp.bpf.elf.LoadedObject;
import io.ringtap.xdp.bpf.elf.MapDefinition;
import io.ringtap.xdp.bpf.elf.ObjectException;
import io.ringtap.xdp.bpf.elf.Variable;
import io.ringtap.xdp.bpf.helper.StandardHelpers;
import io.ringtap.xdp.bpf.map.MapSpec;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

import java.io.PrintWriter;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;

/** {@code ringtap xdp check}: tells what is in an object, and whether its programs would run here. */
@Command(
    name = "check",
    mixinStandardHelpOptions = true,
    sortOptions = false,
    description = {
        "",
        "Load an object as for a guest, and tell what is in it: programs and why one is refused, maps, variables, " +
            "the helpers that are called. Needs no rights and no kernel.",
        "",
        "Exit code 0 when every XDP program (or the named one) can run here, 2 when not."})
final class XdpCheckCommand implements Callable<Integer>
{
    @Mixin
    private final XdpObjectOptions options = new XdpObjectOptions();

    @Option(names = "--dump", order = 1,
        description = "Print the instructions as well, with source lines where the object has them.")
    private boolean isDump;

    @Spec
    private CommandSpec spec;

    private PrintWriter out;

    @Override
    public Integer call()
    {
        out = spec.commandLine().getOut();
        final BpfObject object = options.read();
        final List<String> warnings = new ArrayList<>();
        final LoadedObject loaded = object.load(options.processors(), StandardHelpers.all(), warnings::add);
        out.println(object.name() + ": license " + (object.license().isEmpty() ? "none" : object.license()) +
            (null == object.btf() ? ", compiled without -g: no types, no source lines" : ""));
        programs(object, loaded);
        maps(object, loaded);
        variables(object, loaded);
        // Compiling is the last word: only now it is known whether a program would have to be interpreted.
        final String chosen = options.reference().program();
        if (null != chosen)
        {
            loaded.program(chosen);
        }
        else
        {
            loaded.programs();
        }
        warnings.forEach((warning) -> out.println("warning: " + warning));
        return null == chosen && !loaded.refusals().isEmpty() ? Program.BAD_USAGE : Program.DONE;
    }

    private void programs(final BpfObject object, final LoadedObject loaded)
    {
        out.println("programs");
        for (final BpfObject.ProgramInfo info : object.programs())
        {
            final String refusal = loaded.refusals().get(info.name());
            if (null != refusal)
            {
                out.println("  " + info.name() + " (" + info.section() + ") REFUSED: " + refusal);
                continue;
            }
            final BpfProgram program = loaded.verified(info.name());
            out.println("  " + info.name() + " (" + info.section() + "): " + XdpListing.summary(program));
            if (isDump)
            {
                XdpListing.print(program, out);
            }
        }
        object.otherPrograms().forEach((info) ->
            out.println("  " + info.name() + " (" + info.section() + ") is no XDP program and skipped"));
    }

    private void maps(final BpfObject object, final LoadedObject loaded)
    {
        if (!object.maps().isEmpty())
        {
            out.println("maps");
        }
        for (final MapDefinition definition : object.maps())
        {
            final MapSpec map = definition.spec();
            out.println("  " + map.name() + ": " + describe(definition, loaded) +
                (definition.isPinned() ? ", pinned (by the kernel's loader; here each object has its own)" : ""));
        }
    }

    private static String describe(final MapDefinition definition, final LoadedObject loaded)
    {
        final BpfMap map;
        try
        {
            map = loaded.map(definition.name());
        }
        catch (final ObjectException failure)
        {
            return "REFUSED: " + failure.getMessage();
        }
        return definition.isGlobal() ?
            map.valueSize() + " bytes of " + (map.isReadOnly() ? "constants" : "variables") :
            map.kind() + ", key " + map.keySize() + ", value " + map.valueSize() + ", " + map.maxEntries() + " entries";
    }

    private void variables(final BpfObject object, final LoadedObject loaded)
    {
        if (!object.variables().isEmpty())
        {
            out.println("variables");
        }
        for (final Variable variable : object.variables())
        {
            out.println("  " + variable.name() + " (" + variable.map() + ") = " +
                BtfPrinter.text(loaded.get(variable.name())));
        }
    }
}
