/**
 * Operating a running backend: the control socket, the commands on it, and what they act on. One agent's thread reads
 * every request; frames never wait for it.
 */
package io.ringtap.vhost.ops;
