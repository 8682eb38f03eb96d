package io.ringtap.bench.report;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;

/**
 * As much JSON as results need: objects are maps, arrays are lists, numbers are doubles, a number that is none is null.
 */
public final class Json
{
    private static final int NARROW = 100;

    private final String text;
    private int at;

    private Json(final String text)
    {
        this.text = text;
    }

    /** @throws IllegalArgumentException saying where the text is not JSON. */
    public static Object parse(final String text)
    {
        final Json parser = new Json(text);
        final Object value = parser.value();
        parser.skipBlanks();
        if (parser.at < text.length())
        {
            throw parser.fault("something after the end");
        }
        return value;
    }

    /** Written for people to read and compare: two blanks a level, short values on one line. */
    public static String write(final Object value)
    {
        return write(value, "") + "\n";
    }

    @SuppressWarnings("unchecked")
    public static Map<String, Object> object(final Object value)
    {
        return (Map<String, Object>)value;
    }

    @SuppressWarnings("unchecked")
    public static List<Object> array(final Object value)
    {
        return (List<Object>)value;
    }

    public static double number(final Object value)
    {
        return null == value ? Double.NaN : (Double)value;
    }

    private static String write(final Object value, final String indent)
    {
        if (value instanceof Map<?, ?> map)
        {
            final List<String> parts = new ArrayList<>();
            map.forEach((key, each) -> parts.add(quote((String)key) + ": " + write(each, indent + "  ")));
            return enclose("{", parts, "}", indent);
        }
        if (value instanceof List<?> list)
        {
            final List<String> parts = new ArrayList<>();
            list.forEach(each -> parts.add(write(each, indent + "  ")));
            return enclose("[", parts, "]", indent);
        }
        if (value instanceof Double number)
        {
            return number.isNaN() || number.isInfinite() ? "null" : plain(number);
        }
        return value instanceof String word ? quote(word) : String.valueOf(value);
    }

    private static String plain(final double number)
    {
        final String fixed = String.format(Locale.ROOT, "%.6f", number);
        return fixed.replaceAll("\\.?0+$", "");
    }

    private static String enclose(final String open, final List<String> parts, final String close, final String indent)
    {
        final String line = open + String.join(", ", parts) + close;
        if (line.length() + indent.length() <= NARROW && !line.contains("\n"))
        {
            return line;
        }
        final String inner = "\n" + indent + "  ";
        return open + inner + String.join("," + inner, parts) + "\n" + indent + close;
    }

    private static String quote(final String word)
    {
        final StringBuilder quoted = new StringBuilder("\"");
        for (final char each : word.toCharArray())
        {
            switch (each)
            {
                case '"' -> quoted.append("\\\"");
                case '\\' -> quoted.append("\\\\");
                case '\n' -> quoted.append("\\n");
                case '\t' -> quoted.append("\\t");
                default -> quoted.append(each < ' ' ? String.format("\\u%04x", (int)each) : each);
            }
        }
        return quoted.append('"').toString();
    }

    private Object value()
    {
        skipBlanks();
        if (at >= text.length())
        {
            throw fault("the end");
        }
        return switch (text.charAt(at))
        {
            case '{' -> readObject();
            case '[' -> readArray();
            case '"' -> readString();
            case 't' -> word("true", Boolean.TRUE);
            case 'f' -> word("false", Boolean.FALSE);
            case 'n' -> word("null", null);
            default -> readNumber();
        };
    }

    private Map<String, Object> readObject()
    {
        final Map<String, Object> map = new LinkedHashMap<>();
        at++;
        while (!ends('}'))
        {
            skipBlanks();
            final String key = readString();
            expect(':');
            map.put(key, value());
        }
        return map;
    }

    private List<Object> readArray()
    {
        final List<Object> list = new ArrayList<>();
        at++;
        while (!ends(']'))
        {
            list.add(value());
        }
        return list;
    }

    /** Whether the closing sign is next; a comma between two elements is passed over. */
    private boolean ends(final char close)
    {
        skipBlanks();
        if (at < text.length() && text.charAt(at) == ',')
        {
            at++;
            return false;
        }
        if (at < text.length() && text.charAt(at) == close)
        {
            at++;
            return true;
        }
        return false;
    }

    private String readString()
    {
        expect('"');
        final StringBuilder word = new StringBuilder();
        while (at < text.length() && text.charAt(at) != '"')
        {
            final char each = text.charAt(at++);
            word.append('\\' == each ? escaped() : each);
        }
        expect('"');
        return word.toString();
    }

    private char escaped()
    {
        final char each = text.charAt(at++);
        if ('u' == each)
        {
            at += 4;
            return (char)Integer.parseInt(text.substring(at - 4, at), 16);
        }
        return 'n' == each ? '\n' : 't' == each ? '\t' : 'r' == each ? '\r' : each;
    }

    private Double readNumber()
    {
        final int start = at;
        while (at < text.length() && "+-.eE0123456789".indexOf(text.charAt(at)) >= 0)
        {
            at++;
        }
        if (start == at)
        {
            throw fault("no value");
        }
        return Double.valueOf(text.substring(start, at));
    }

    private Object word(final String word, final Object value)
    {
        if (!text.startsWith(word, at))
        {
            throw fault("no value");
        }
        at += word.length();
        return value;
    }

    private void expect(final char sign)
    {
        skipBlanks();
        if (at >= text.length() || text.charAt(at) != sign)
        {
            throw fault("no " + sign);
        }
        at++;
    }

    private void skipBlanks()
    {
        while (at < text.length() && Character.isWhitespace(text.charAt(at)))
        {
            at++;
        }
    }

    private IllegalArgumentException fault(final String what)
    {
        return new IllegalArgumentException("not JSON: " + what + " at " + at + " of " + text.length());
    }
}
