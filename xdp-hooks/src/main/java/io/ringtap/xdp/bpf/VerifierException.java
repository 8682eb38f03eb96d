package io.ringtap.xdp.bpf;

/** A program was refused; the message names program, instruction and reason in one line. */
public final class VerifierException extends RuntimeException
{
    private static final long serialVersionUID = 1;

    /** @param message one line for the operator. */
    public VerifierException(final String message)
    {
        super(message);
    }
}
