package io.ringtap.command;

import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.concurrent.Callable;

/** {@code ringtap generate-man-pages}: the manual, written from the same table as the help; for packages. */
@Command(
    name = "generate-man-pages",
    sortOptions = false,
    description = "Write a manual page for each command into a directory.")
final class ManPagesCommand implements Callable<Integer>
{
    @Parameters(paramLabel = "DIRECTORY", description = "Where the pages go; made when it is missing.")
    private Path directory;

    @Option(names = {"-h", "--help"}, usageHelp = true, description = "Show this help and exit.")
    private boolean help;

    @Spec
    private CommandSpec spec;

    @Override
    public Integer call() throws IOException
    {
        Files.createDirectories(directory);
        write(spec.root().commandLine());
        return Program.DONE;
    }

    private void write(final CommandLine command) throws IOException
    {
        final String name = ManPage.name(command.getCommandSpec()) + '.' + ManPage.SECTION;
        Files.writeString(directory.resolve(name), ManPage.of(command));
        for (final CommandLine each : ManPage.subcommands(command))
        {
            write(each);
        }
    }
}
