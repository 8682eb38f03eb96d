package io.ringtap.xdp;

/** What becomes of a frame; the numbers are enum xdp_action of linux/bpf.h. */
public final class XdpVerdict
{
    /** The hook failed: drop and count. */
    public static final int ABORTED = 0;
    /** Drop. */
    public static final int DROP = 1;
    /** Go on to the next hook, then to the other side. */
    public static final int PASS = 2;
    /** Back to where the frame came from. */
    public static final int TX = 3;
    /** To another port. */
    public static final int REDIRECT = 4;

    private XdpVerdict()
    {
    }

    /** Name as in the kernel's headers, for people. */
    public static String nameOf(final int verdict)
    {
        return switch (verdict)
        {
            case ABORTED -> "ABORTED";
            case DROP -> "DROP";
            case PASS -> "PASS";
            case TX -> "TX";
            case REDIRECT -> "REDIRECT";
            default -> "unknown " + verdict;
        };
    }
}
