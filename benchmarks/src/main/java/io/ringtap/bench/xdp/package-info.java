/** eBPF programs on frames, here and in the kernel, without the way of a frame around them. */
package io.ringtap.bench.xdp;
