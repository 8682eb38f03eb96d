/**
 * The eBPF runtime: real XDP programs on guest frames, checked at load, safe by construction while they run.
 * <p>
 * A loader makes a {@link io.ringtap.xdp.bpf.ProgramText}; {@link io.ringtap.xdp.bpf.Verifier} turns it into a
 * {@link io.ringtap.xdp.bpf.BpfProgram}; the compiler (or, when it must, the interpreter) into a
 * {@link io.ringtap.xdp.bpf.ProgramCode}; {@link io.ringtap.xdp.bpf.BpfHook} runs that on frames, one instance for each
 * queue and direction with a {@link io.ringtap.xdp.bpf.BpfContext} of its own.
 * <p>
 * A program never sees an address of this process. It sees 32-bit numbers ({@link io.ringtap.xdp.bpf.AddressSpace})
 * that mean something in its own frame, stack and maps only; each access is checked against their bounds.
 */
package io.ringtap.xdp.bpf;
