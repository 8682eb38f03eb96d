/** Verdicts on frames: hooks, chains of them and ready-made filters. No system call, no guest, no port. */
package io.ringtap.xdp;
