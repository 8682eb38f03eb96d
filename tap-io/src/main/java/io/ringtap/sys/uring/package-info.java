/**
 * io_uring over raw system calls: batches of reads, writes and polls with one kernel entry. Part of the locked room:
 * addresses given to it must stay mapped until their completion is seen or the ring is closed.
 */
package io.ringtap.sys.uring;
