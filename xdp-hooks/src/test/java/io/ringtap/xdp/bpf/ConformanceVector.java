package io.ringtap.xdp.bpf;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * One file of the public bpf_conformance suite, read from where it lies beside the repository.
 *
 * @param name     of the file.
 * @param code     its program.
 * @param memory   what r1 shows; empty when there is none.
 * @param expected r0 at the end.
 */
record ConformanceVector(String name, long[] code, byte[] memory, long expected)
{
    private static final Path FOLDER = Path.of("../../shared/data/bpf-conformance/tests");

    /** All vectors; empty when they are not there. Maven runs tests in the module's folder. */
    static List<ConformanceVector> all()
    {
        if (!Files.isDirectory(FOLDER))
        {
            return List.of();
        }
        try (Stream<Path> files = Files.list(FOLDER))
        {
            return files.filter((file) -> file.toString().endsWith(".data")).sorted()
                .map(ConformanceVector::read).collect(Collectors.toList());
        }
        catch (final IOException failure)
        {
            throw new UncheckedIOException(failure);
        }
    }

    private static ConformanceVector read(final Path file)
    {
        final Map<String, StringBuilder> sections = new HashMap<>();
        StringBuilder section = new StringBuilder();
        try
        {
            for (final String line : Files.readAllLines(file))
            {
                if (line.startsWith("-- "))
                {
                    section = new StringBuilder();
                    sections.put(line.substring(3).trim(), section);
                }
                else
                {
                    section.append(line).append('\n');
                }
            }
        }
        catch (final IOException failure)
        {
            throw new UncheckedIOException(failure);
        }
        final String result = sections.get("result").toString().replaceAll("#.*", "").trim();
        final String memory = sections.getOrDefault("mem", new StringBuilder()).toString();
        return new ConformanceVector(
            file.getFileName().toString().replace(".data", ""),
            Assembler.assemble(sections.get("asm").toString()),
            bytes(memory.replaceAll("#.*", "")),
            Long.parseUnsignedLong(result.replace("0x", ""), result.startsWith("0x") ? 16 : 10));
    }

    static byte[] bytes(final String hex)
    {
        final String[] words = hex.trim().split("\\s+");
        final byte[] bytes = new byte[words[0].isEmpty() ? 0 : words.length];
        for (int i = 0; i < bytes.length; i++)
        {
            bytes[i] = (byte)Integer.parseInt(words[i], 16);
        }
        return bytes;
    }

    @Override
    public String toString()
    {
        return name;
    }
}
