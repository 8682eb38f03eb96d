package io.ringtap;

import io.ringtap.command.Program;

/** The program's entry: sets what the libraries read once, then runs a command and exits with its code. */
public final class Ringtap
{
    private Ringtap()
    {
    }

    public static void main(final String[] args)
    {
        defaults();
        final int code = Program.run(args, System.out, System.err);
        System.out.flush();
        System.exit(code);
    }

    /**
     * Properties that libraries read when they are loaded; whoever gave one on the command line keeps it.
     * <ul>
     * <li>Agrona's bounds checks stand behind our own range checks and cost up to a third of the ring's speed, so they
     * are on in tests and off here.</li>
     * <li>jffi would use sun.misc.Unsafe for memory that we never touch through it, and Java 24 and later warn about
     * that on stderr.</li>
     * <li>jnr-ffi would compile its stubs anew at each start, with classes that no class-data archive takes: a fourth
     * of the time to the listening socket, for calls that are made a few hundred times.</li>
     * <li>SLF4J would look for logs in the whole jar, and tell that it was told where one is.</li>
     * </ul>
     */
    private static void defaults()
    {
        setUnlessGiven("agrona.disable.bounds.checks", "true");
        setUnlessGiven("jffi.unsafe.disabled", "true");
        setUnlessGiven("jnr.ffi.asm.enabled", "false");
        setUnlessGiven("jnr.ffi.x86asm.enabled", "false");
        setUnlessGiven("slf4j.provider", "io.ringtap.log.LogProvider");
        setUnlessGiven("slf4j.internal.verbosity", "WARN");
    }

    private static void setUnlessGiven(final String name, final String value)
    {
        if (null == System.getProperty(name))
        {
            System.setProperty(name, value);
        }
    }
}
