package io.ringtap.it.rig;

import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/** Our own XDP programs in C, {@code integration-tests/src/main/bpf}, compiled when they are asked for. */
public final class BpfSources
{
    private static final Duration LIMIT = Duration.ofSeconds(120);
    private static final Path FOLDER = Settings.root().resolve("integration-tests/src/main/bpf");
    private static final String SUFFIX = ".c";

    private BpfSources()
    {
    }

    /** Names of all of them, in order. */
    public static List<String> names()
    {
        return HostFiles.list(FOLDER).stream().map(file -> file.getFileName().toString())
            .filter(name -> name.endsWith(SUFFIX)).map(name -> name.substring(0, name.length() - SUFFIX.length()))
            .toList();
    }

    /** Compiles one into a folder. @param options for clang, such as {@code -mcpu=v2}. */
    public static Path compile(final String name, final Path folder, final String... options)
    {
        BpfTools.provide();
        final Path object = HostFiles.directories(folder).resolve(name + ".o");
        // The folder of the machine's headers, which clang looks for with the target's name.
        final List<String> command = new ArrayList<>(List.of("clang", "-target", "bpf", "-g", "-O2", "-Wall", "-Werror",
            "-idirafter", "/usr/include/x86_64-linux-gnu"));
        command.addAll(List.of(options));
        command.addAll(List.of("-c", FOLDER.resolve(name + SUFFIX).toString(), "-o", object.toString()));
        Shell.check(LIMIT, Map.of(), command);
        return object;
    }
}
