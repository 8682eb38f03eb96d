package io.ringtap.xdp.bpf;

/** Judges a program before it may run. */
public final class Verifier
{
    private Verifier()
    {
    }

    /**
     * Turns a program into one that may run.
     *
     * @param helpers what it may call.
     * @throws VerifierException saying in one line which instruction is wrong, and why.
     */
    public static BpfProgram verify(final ProgramText text, final HelperSet helpers)
    {
        throw new UnsupportedOperationException("not yet");
    }
}
