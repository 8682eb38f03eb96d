package io.ringtap.terminal;

import io.ringtap.sys.Memory;
import io.ringtap.sys.Poll;
import io.ringtap.sys.Syscalls;
import org.agrona.concurrent.UnsafeBuffer;

import java.io.PrintStream;
import java.nio.charset.StandardCharsets;

/**
 * The terminal that we were started in. While a screen is open on it, keys come one by one and unseen, and what was
 * there before is kept; {@link #close()} brings all of it back, from any thread and as often as it is called.
 */
public final class Terminal implements AutoCloseable
{
    /** Standard input. */
    public static final int INPUT = 0;
    /** Standard output. */
    public static final int OUTPUT = 1;

    // struct termios of asm-generic/termbits.h: four flags of four bytes, a line discipline, then control characters.
    private static final long TCGETS = 0x5401;
    private static final long TCSETS = 0x5402;
    private static final int TERMIOS_LENGTH = 36;
    private static final int LOCAL_FLAGS = 12;
    private static final int ICANON = 2;
    private static final int ECHO = 8;
    private static final int CONTROL_CHARACTERS = 17;
    private static final int VTIME = 5;
    private static final int VMIN = 6;
    private static final int VSUSP = 10;

    // struct winsize of asm-generic/termios.h.
    private static final long TIOCGWINSZ = 0x5413;
    private static final int WINSIZE_LENGTH = 8;
    private static final int MAX_SIDE = 1000;
    private static final int USUAL_ROWS = 24;
    private static final int USUAL_COLUMNS = 80;

    private static final int READ = 64;
    private static final String OPEN = "\033[?1049h\033[?25l\033[?7l";
    private static final String CLOSE = "\033[0m\033[?7h\033[?25h\033[?1049l";

    private final PrintStream out;
    private final UnsafeBuffer before = Memory.scratch(TERMIOS_LENGTH);
    private final UnsafeBuffer input = Memory.scratch(READ);
    private final Thread hook = new Thread(this::close);
    private boolean isOpen;

    private Terminal(final PrintStream out)
    {
        this.out = out;
    }

    /** Whether a descriptor leads to a terminal. */
    public static boolean isTerminal(final int descriptor)
    {
        return 0 == Syscalls.ioctlResult(descriptor, TCGETS, Memory.scratch(2 * TERMIOS_LENGTH));
    }

    /** Whether the user's environment says that characters beyond ASCII can be shown. */
    public static boolean isUnicode(final String all, final String type, final String language)
    {
        final String first = null != all && !all.isEmpty() ? all :
            null != type && !type.isEmpty() ? type : null == language ? "" : language;
        final String charset = first.toUpperCase(java.util.Locale.ROOT);
        return charset.contains("UTF-8") || charset.contains("UTF8");
    }

    /** Opens a screen; both standard input and output must be a terminal. */
    public static Terminal open(final PrintStream out)
    {
        final Terminal terminal = new Terminal(out);
        terminal.enter();
        return terminal;
    }

    private synchronized void enter()
    {
        Syscalls.ioctl(INPUT, TCGETS, before, "the terminal");
        final UnsafeBuffer raw = Memory.scratch(TERMIOS_LENGTH);
        raw.putBytes(0, before, 0, TERMIOS_LENGTH);
        raw.putInt(LOCAL_FLAGS, raw.getInt(LOCAL_FLAGS) & ~(ICANON | ECHO));
        raw.putByte(CONTROL_CHARACTERS + VMIN, (byte)0);
        raw.putByte(CONTROL_CHARACTERS + VTIME, (byte)0);
        // Ctrl-Z would leave the shell with our screen.
        raw.putByte(CONTROL_CHARACTERS + VSUSP, (byte)0);
        Runtime.getRuntime().addShutdownHook(hook);
        isOpen = true;
        Syscalls.ioctl(INPUT, TCSETS, raw, "the terminal");
        send(OPEN);
    }

    /** Rows now: a window may be resized at any time. */
    public int rows()
    {
        return side(0, USUAL_ROWS);
    }

    public int columns()
    {
        return side(Short.BYTES, USUAL_COLUMNS);
    }

    /** Shows a picture, unless the screen was closed meanwhile. */
    public synchronized void show(final Canvas canvas)
    {
        if (isOpen)
        {
            send(canvas.sequence());
        }
    }

    /** Waits for a key. */
    public Key key(final int timeoutMs)
    {
        if (0 == Syscalls.poll(INPUT, Poll.IN, timeoutMs))
        {
            return Key.NONE;
        }
        final int got = Syscalls.read(INPUT, input, 0, READ);
        if (got <= 0)
        {
            return Key.END;
        }
        final byte[] bytes = new byte[got];
        input.getBytes(0, bytes);
        return Key.of(new String(bytes, StandardCharsets.ISO_8859_1));
    }

    @Override
    public void close()
    {
        restore();
        try
        {
            Runtime.getRuntime().removeShutdownHook(hook);
        }
        catch (final IllegalStateException ending)
        {
            // The hook is what called us, or is about to.
        }
    }

    private synchronized void restore()
    {
        if (isOpen)
        {
            isOpen = false;
            send(CLOSE);
            Syscalls.ioctlResult(INPUT, TCSETS, before);
        }
    }

    private void send(final String text)
    {
        final byte[] bytes = text.getBytes(StandardCharsets.UTF_8);
        out.write(bytes, 0, bytes.length);
        out.flush();
    }

    private static int side(final int offset, final int usual)
    {
        final UnsafeBuffer size = Memory.scratch(WINSIZE_LENGTH);
        final int said = 0 == Syscalls.ioctlResult(OUTPUT, TIOCGWINSZ, size) ? size.getShort(offset) & 0xFFFF : 0;
        return 0 == said ? usual : Math.min(said, MAX_SIDE);
    }
}
