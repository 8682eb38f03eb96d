package io.ringtap.it.fault;

import io.ringtap.frontend.FrontendConfig;
import io.ringtap.vhost.virtio.NetFeatures;

/** Where memory is taken away: both layouts, both ways to the kernel, with programs, on own threads and shared ones. */
enum Setting
{
    URING_SPLIT("uring", "dedicated", false, 0),
    URING_PACKED_SHARED_XDP("uring", "shared", true, NetFeatures.bit(NetFeatures.RING_PACKED)),
    SYSCALL_SPLIT_SHARED_XDP("syscall", "shared", true, 0),
    SYSCALL_PACKED("syscall", "dedicated", false, NetFeatures.bit(NetFeatures.RING_PACKED));

    final String io;
    final String workers;
    /** Whether eBPF programs look at each frame, and change those that the guest sends. */
    final boolean hasPrograms;
    final long features;

    Setting(final String io, final String workers, final boolean hasPrograms, final long features)
    {
        this.io = io;
        this.workers = workers;
        this.hasPrograms = hasPrograms;
        this.features = FrontendConfig.DEFAULT_FEATURES | features;
    }
}
