/**
 * Objects of eBPF programs as clang writes them: from the bytes of a file to verified programs and their maps.
 * <p>
 * {@link io.ringtap.xdp.bpf.elf.BpfObject} reads a file and can be configured; {@code load} makes a
 * {@link io.ringtap.xdp.bpf.elf.LoadedObject} of it, with maps of its own each time. {@link io.ringtap.xdp.bpf.elf.Btf}
 * knows the C types in it, and {@link io.ringtap.xdp.bpf.elf.BtfValue} shows bytes by them.
 * <p>
 * A file is not trusted: each number in it meets the file's length and
 * {@link io.ringtap.xdp.bpf.elf.ObjectLimits} before it is used, and whatever is wrong is an
 * {@link io.ringtap.xdp.bpf.elf.ObjectException} of one line.
 */
package io.ringtap.xdp.bpf.elf;
