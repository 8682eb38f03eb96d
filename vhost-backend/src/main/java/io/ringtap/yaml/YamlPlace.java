package io.ringtap.yaml;

/**
 * Where something stands in a file.
 *
 * @param line   from 1.
 * @param column from 1, in characters.
 */
public record YamlPlace(int line, int column) implements Comparable<YamlPlace>
{
    /** For what concerns the file as a whole. */
    public static final YamlPlace START = new YamlPlace(1, 1);

    @Override
    public int compareTo(final YamlPlace other)
    {
        return line != other.line ? Integer.compare(line, other.line) : Integer.compare(column, other.column);
    }

    /** As compilers and editors write it. */
    @Override
    public String toString()
    {
        return line + ":" + column;
    }
}
