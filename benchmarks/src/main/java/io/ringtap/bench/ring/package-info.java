/** What a virtqueue costs by itself, in one thread: no port, no worker, no other side. */
package io.ringtap.bench.ring;
