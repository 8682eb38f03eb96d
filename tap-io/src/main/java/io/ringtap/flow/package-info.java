/** Frames and flows: batches, headers, checksums, sorting, coalescing, segmenting. Private bytes only. */
package io.ringtap.flow;
