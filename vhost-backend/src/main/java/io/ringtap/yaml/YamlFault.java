package io.ringtap.yaml;

/**
 * Something in a file that cannot be.
 *
 * @param place  where it stands.
 * @param value  what is there.
 * @param limit  why it cannot be.
 * @param remedy what to write instead.
 */
public record YamlFault(YamlPlace place, String value, String limit, String remedy)
{
    private static final int MAX_VALUE = 120;

    /** One line. */
    public String text(final String file)
    {
        return file + ":" + place + ": " + printable(value) + ": " + printable(limit) + "; " + remedy;
    }

    /** Without line breaks and other surprises, and not without end: it may come from a hostile file. */
    static String printable(final String text)
    {
        final StringBuilder clean = new StringBuilder();
        for (int i = 0; i < text.length() && clean.length() < MAX_VALUE; i++)
        {
            final char c = text.charAt(i);
            if ('\n' == c)
            {
                clean.append("\\n");
            }
            else if (Character.isISOControl(c) || Character.isSurrogate(c) || '\u2028' == c || '\u2029' == c)
            {
                clean.append(String.format("\\u%04x", (int)c));
            }
            else
            {
                clean.append(c);
            }
        }
        if (clean.isEmpty())
        {
            return "\"\"";
        }
        return clean.length() < MAX_VALUE ? clean.toString() : clean.append("...").toString();
    }
}
