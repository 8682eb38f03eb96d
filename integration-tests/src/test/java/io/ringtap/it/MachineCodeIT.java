package io.ringtap.it;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.ringtap.it.rig.BpfSources;
import io.ringtap.it.rig.BpfTools;
import io.ringtap.it.rig.Jdks;
import io.ringtap.it.rig.Progress;
import io.ringtap.it.rig.Shell;
import io.ringtap.xdp.bpf.elf.BpfObject;
import io.ringtap.xdp.bpf.elf.LoadedObject;
import io.ringtap.xdp.bpf.helper.StandardHelpers;
import java.lang.management.ManagementFactory;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * HotSpot takes what the compiler writes: a method that it gives up stays interpreted, at a twentieth of the speed, and
 * nobody is told.
 */
class MachineCodeIT
{
    private static final Duration LIMIT = Duration.ofSeconds(180);
    private static final String PROGRAM = "io.ringtap.xdp.bpf.Program_";

    @TempDir
    private static Path folder;

    @Test
    void shouldHaveEveryProgramCompiledByHotSpot()
    {
        BpfTools.provide();
        final List<String> objects = Stream.concat(
            BpfSources.names().stream().map((name) -> BpfSources.compile(name, folder)),
            BpfTools.objects().stream()).map(Path::toString).toList();
        final List<String> command = new ArrayList<>(List.of(Jdks.current().resolve("bin/java").toString(),
            "-XX:+UseSerialGC", "-XX:+PrintCompilation"));
        // What Agrona needs opened is opened for this process, too.
        ManagementFactory.getRuntimeMXBean().getInputArguments().stream()
            .filter((argument) -> argument.startsWith("--add-")).forEach(command::add);
        command.addAll(List.of("-cp", System.getProperty("java.class.path"), Loader.class.getName()));
        command.addAll(objects);

        final List<String> lines = Shell.check(LIMIT, Map.of(), command).lines()
            .filter((line) -> line.contains(PROGRAM)).toList();

        assertEquals(List.of(), lines.stream().filter((line) -> line.contains("COMPILE SKIPPED")).toList());
        final long compiled = lines.stream().map(MachineCodeIT::className).distinct().count();
        assertTrue(compiled > objects.size() / 2, compiled + " programs of " + objects.size() + " objects");
        Progress.say(compiled + " programs of " + objects.size() + " objects became machine code");
    }

    private static String className(final String line)
    {
        return line.substring(line.indexOf(PROGRAM), line.indexOf("::"));
    }

    /** Loads objects, which lets their programs practise until HotSpot compiles them. */
    static final class Loader
    {
        private Loader()
        {
        }

        public static void main(final String[] files)
        {
            for (final String file : files)
            {
                final LoadedObject loaded = BpfObject.read(Path.of(file)).load(2, StandardHelpers.all());
                if (loaded.programs().isEmpty())
                {
                    throw new IllegalStateException(file + ": " + loaded.refusals());
                }
            }
        }
    }
}
