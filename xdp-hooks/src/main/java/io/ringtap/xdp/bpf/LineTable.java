package io.ringtap.xdp.bpf;

import java.util.List;

/**
 * Where in a source file an instruction comes from, as .BTF.ext says it.
 *
 * @param lines in the order of their instructions.
 */
public record LineTable(List<Line> lines)
{
    /** For objects without line information. */
    public static final LineTable NONE = new LineTable(List.of());

    /** Keeps a copy. */
    public LineTable
    {
        lines = List.copyOf(lines);
    }

    /** The last line that begins at or before the instruction; null when there is none. */
    public Line at(final int instruction)
    {
        Line found = null;
        for (final Line line : lines)
        {
            if (line.instruction() > instruction)
            {
                break;
            }
            found = line;
        }
        return found;
    }

    /**
     * One line of a source file.
     *
     * @param instruction index of its first instruction in the program's code.
     * @param file        name of the file as the compiler knew it.
     * @param number      its number, from 1.
     * @param text        what stands there; may be empty.
     */
    public record Line(int instruction, String file, int number, String text)
    {
        @Override
        public String toString()
        {
            return file + ':' + number + (text.isBlank() ? "" : ": " + text.strip());
        }
    }
}
