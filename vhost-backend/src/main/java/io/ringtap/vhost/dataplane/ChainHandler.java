package io.ringtap.vhost.dataplane;

import io.ringtap.vhost.virtio.DescriptorChain;

/** Does what a chain of the control ring says. */
public interface ChainHandler
{
    /**
     * A chain that was judged and found whole.
     *
     * @return bytes written into its writable buffers.
     */
    int onChain(DescriptorChain chain);
}
