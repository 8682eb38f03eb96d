package io.ringtap.xdp.bpf;

/** Why a program was aborted. */
public enum FaultKind
{
    /** Read of memory that is not the program's. */
    READ("reads"),
    /** Write to memory that is not the program's, or that is only to be read. */
    WRITE("writes"),
    /** Atomic operation on memory that is not the program's, or not aligned to its size. */
    ATOMIC("updates"),
    /** More instructions than the limit. */
    FUEL("runs too long"),
    /** Functions nested too deep by callbacks or tail calls. */
    DEPTH("calls too deep"),
    /** A helper got an argument that no correct program passes. */
    ARGUMENT("passes a bad argument"),
    /** A helper, a map or the runtime itself failed: no fault of the program's. */
    INTERNAL("makes the runtime fail:");

    private final String verb;

    FaultKind(final String verb)
    {
        this.verb = verb;
    }

    /** What the program does, for a sentence. */
    String verb()
    {
        return verb;
    }
}
