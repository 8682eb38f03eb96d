package io.ringtap.xdp.bpf;

/** A program could not be compiled; interpreting it is still possible. */
final class CompileException extends RuntimeException
{
    private static final long serialVersionUID = 1;

    CompileException(final String message, final Throwable cause)
    {
        super(message, cause);
    }
}
