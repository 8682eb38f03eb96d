package io.ringtap.terminal;

/**
 * A key that was pressed.
 *
 * @param kind      what sort of key.
 * @param character of a key that makes one, else 0.
 */
public record Key(Kind kind, char character)
{
    /** No key came in time. */
    public static final Key NONE = new Key(Kind.NONE, '\0');
    /** Nobody will ever press one: the input has ended. */
    public static final Key END = new Key(Kind.END_OF_INPUT, '\0');

    /** Sorts of keys. */
    public enum Kind
    {
        NONE,
        END_OF_INPUT,
        CHARACTER,
        UP,
        DOWN,
        LEFT,
        RIGHT,
        PAGE_UP,
        PAGE_DOWN,
        HOME,
        END,
        OTHER
    }

    /** What the bytes of one read mean: a character, or an escape sequence as xterm sends it. */
    static Key of(final String text)
    {
        if (1 == text.length())
        {
            return new Key(Kind.CHARACTER, text.charAt(0));
        }
        final Kind kind = switch (text)
        {
            case "\033[A", "\033OA" -> Kind.UP;
            case "\033[B", "\033OB" -> Kind.DOWN;
            case "\033[C", "\033OC" -> Kind.RIGHT;
            case "\033[D", "\033OD" -> Kind.LEFT;
            case "\033[5~" -> Kind.PAGE_UP;
            case "\033[6~" -> Kind.PAGE_DOWN;
            case "\033[H", "\033[1~", "\033OH" -> Kind.HOME;
            case "\033[F", "\033[4~", "\033OF" -> Kind.END;
            default -> text.isEmpty() || '\033' == text.charAt(0) ? Kind.OTHER : Kind.CHARACTER;
        };
        return new Key(kind, Kind.CHARACTER == kind ? text.charAt(0) : '\0');
    }
}
