/**
 * The data plane: one worker per queue pair moves frames between the guest's rings and the port, in bounded batches,
 * and takes commands from the session in between. Nobody else touches a ring.
 */
package io.ringtap.vhost.dataplane;
