package io.ringtap.xdp.bpf.elf;

import java.util.Iterator;
import java.util.Map;

/** Writes trees of values, as {@link BtfValue} makes them, in one line. */
public final class BtfPrinter
{
    private final boolean isJson;
    private final StringBuilder out = new StringBuilder();

    private BtfPrinter(final boolean isJson)
    {
        this.isJson = isJson;
    }

    /** As JSON. */
    public static String json(final Object tree)
    {
        return new BtfPrinter(true).write(tree);
    }

    /** For people: as JSON, with no quotes around names and words. */
    public static String text(final Object tree)
    {
        return new BtfPrinter(false).write(tree);
    }

    private String write(final Object tree)
    {
        append(tree);
        return out.toString();
    }

    private void append(final Object tree)
    {
        if (tree instanceof Map<?, ?> struct)
        {
            struct(struct);
        }
        else if (tree instanceof Iterable<?> array)
        {
            out.append('[');
            final Iterator<?> each = array.iterator();
            while (each.hasNext())
            {
                append(each.next());
                out.append(each.hasNext() ? isJson ? "," : ", " : "");
            }
            out.append(']');
        }
        else if (tree instanceof String word)
        {
            word(word);
        }
        else if (tree instanceof Double number && (number.isNaN() || number.isInfinite()))
        {
            // JSON has no such numbers.
            word(number.toString());
        }
        else
        {
            out.append(tree);
        }
    }

    private void struct(final Map<?, ?> struct)
    {
        out.append('{');
        final Iterator<? extends Map.Entry<?, ?>> each = struct.entrySet().iterator();
        while (each.hasNext())
        {
            final Map.Entry<?, ?> member = each.next();
            word(String.valueOf(member.getKey()));
            out.append(isJson ? ":" : ": ");
            append(member.getValue());
            out.append(each.hasNext() ? isJson ? "," : ", " : "");
        }
        out.append('}');
    }

    private void word(final String word)
    {
        if (!isJson && !word.isEmpty())
        {
            out.append(word);
            return;
        }
        out.append('"');
        for (int i = 0; i < word.length(); i++)
        {
            final char each = word.charAt(i);
            if ('"' == each || '\\' == each)
            {
                out.append('\\').append(each);
            }
            else if (each < ' ')
            {
                out.append(String.format("\\u%04x", (int)each));
            }
            else
            {
                out.append(each);
            }
        }
        out.append('"');
    }
}
