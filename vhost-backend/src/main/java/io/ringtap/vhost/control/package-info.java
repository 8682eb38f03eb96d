/**
 * What a driver says on the control queue of a network device (virtio 1.x, 5.1.6.5), judged, and what follows from it
 * for the frames that it receives. No ring and no thread: bytes come in, immutable rules go out.
 */
package io.ringtap.vhost.control;
