package io.ringtap.xdp.bpf;

/**
 * What a helper does. The compiled program holds each of its helpers as a constant, so the call is direct and can be
 * inlined; implement it by a method reference to a static method, which captures nothing.
 */
@FunctionalInterface
public interface HelperCall
{
    /**
     * Called on the worker's thread; allocates nothing.
     *
     * @return the program's new r0. Failures that a program may handle are negative errnos; arguments that no correct
     * program passes abort it, see {@link BpfContext#readable}.
     */
    long call(BpfContext context, long r1, long r2, long r3, long r4, long r5);
}
