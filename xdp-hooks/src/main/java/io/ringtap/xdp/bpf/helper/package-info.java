/**
 * Helpers that programs call by number: {@link io.ringtap.xdp.bpf.helper.StandardHelpers} is the set of them.
 * <p>
 * A helper is a static method. It turns numbers into memory through the context, which aborts a program that passes
 * what is not its own; failures that a program may handle are negative errnos, the kernel's.
 */
package io.ringtap.xdp.bpf.helper;
