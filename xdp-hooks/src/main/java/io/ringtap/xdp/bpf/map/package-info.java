/**
 * BPF maps off the heap, with the kernel's semantics and errnos, for several queues and a control thread at once.
 * <p>
 * {@link io.ringtap.xdp.bpf.map.MapFactory} makes a map of a {@link io.ringtap.xdp.bpf.map.MapSpec}. Programs reach it
 * as a {@link io.ringtap.xdp.bpf.BpfMap}, people through {@link io.ringtap.xdp.bpf.map.MapAccess}. What the kernel has
 * once for each CPU is here once for each queue.
 */
package io.ringtap.xdp.bpf.map;
