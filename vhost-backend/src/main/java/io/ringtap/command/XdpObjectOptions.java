package io.ringtap.command;

import io.ringtap.ConfigException;
import io.ringtap.xdp.bpf.elf.BpfObject;
import io.ringtap.xdp.bpf.elf.ProgramReference;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

import java.util.ArrayList;
import java.util.List;

/** Which object a command is about, and how that is set before it is loaded. */
final class XdpObjectOptions
{
    private static final int MAX_QUEUES = 128;

    @Parameters(index = "0", paramLabel = "PROG.o[:NAME]",
        description = "The object; with the name of a function when it has several programs.")
    private String object;

    @Option(names = "--set", paramLabel = "VARIABLE=VALUE", order = 50,
        description = "Set a global variable before the object is loaded; may be repeated.")
    private final List<String> variables = new ArrayList<>();

    @Option(names = "--entries", paramLabel = "MAP=N", order = 51,
        description = "Give a map so many entries instead of what the object declares; may be repeated.")
    private final List<String> entries = new ArrayList<>();

    @Option(names = "--queues", paramLabel = "N", order = 52, defaultValue = "1",
        description = "How many queue pairs the guest has (1 to 128; ${DEFAULT-VALUE}): maps with a value for each " +
            "processor have two for each pair.")
    private String queues;

    ProgramReference reference()
    {
        return ProgramReference.parse(object);
    }

    int queues()
    {
        return Values.number("--queues", queues, 1, MAX_QUEUES);
    }

    /** Each direction of a queue pair is one, as on the data path. */
    int processors()
    {
        return 2 * queues();
    }

    /** Reads the object and sets what the user wants set. */
    BpfObject read()
    {
        final BpfObject read = BpfObject.read(reference().file());
        for (final String each : variables)
        {
            read.set(left("--set", each), right(each));
        }
        for (final String each : entries)
        {
            read.maxEntries(left("--entries", each),
                Values.number("--entries", right(each), 1, Integer.MAX_VALUE));
        }
        return read;
    }

    private static String left(final String option, final String text)
    {
        final int equals = text.indexOf('=');
        if (equals < 1)
        {
            throw new ConfigException(option + "=" + text, "no name and value", "give NAME=VALUE");
        }
        return text.substring(0, equals);
    }

    private static String right(final String text)
    {
        return text.substring(text.indexOf('=') + 1);
    }
}
