package io.ringtap.capture;

/** A recording cannot be made, or not go on: the message is one line with the file, what is wrong and the remedy. */
public final class CaptureException extends RuntimeException
{
    private static final long serialVersionUID = 1L;

    private final String file;
    private final String problem;
    private final String remedy;

    /** @param cause what the host said; null when it said nothing. */
    public CaptureException(final String file, final String problem, final String remedy, final Throwable cause)
    {
        super(file + ": " + problem + "; " + remedy, cause);
        this.file = file;
        this.problem = problem;
        this.remedy = remedy;
    }

    /** What it is about. */
    public String object()
    {
        return file;
    }

    /** What is wrong. */
    public String problem()
    {
        return problem;
    }

    /** What to do instead. */
    public String remedy()
    {
        return remedy;
    }
}
