/**
 * Virtqueues, the device's half (virtio 1.x, 2.7 and 2.8), and the network device's features. What the driver wrote is
 * copied once, judged and then used; every number has a limit and every limit a counter.
 */
package io.ringtap.vhost.virtio;
