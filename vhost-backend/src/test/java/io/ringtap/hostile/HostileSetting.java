package io.ringtap.hostile;

import io.ringtap.WorkerMode;
import io.ringtap.frontend.FrontendConfig;
import io.ringtap.vhost.virtio.NetFeatures;

/** What every attack is tried on: both layouts, with and without their extras, threads of one's own and shared. */
enum HostileSetting
{
    /** Flags instead of event indexes. */
    SPLIT(WorkerMode.DEDICATED, false, NetFeatures.bit(NetFeatures.EVENT_IDX), 0),
    /** The neighbour's worker runs on the attacked one's thread. */
    SPLIT_EVENT_SHARED(WorkerMode.SHARED, true, 0, 0),
    /** Flags instead of event indexes, and a hook that keeps what leaves. */
    PACKED(WorkerMode.DEDICATED, true, NetFeatures.bit(NetFeatures.EVENT_IDX),
        NetFeatures.bit(NetFeatures.RING_PACKED)),
    /** One used descriptor for a batch. */
    PACKED_IN_ORDER_SHARED(WorkerMode.SHARED, false, 0,
        NetFeatures.bit(NetFeatures.RING_PACKED) | NetFeatures.bit(NetFeatures.IN_ORDER));

    final WorkerMode workers;
    /** Whether a hook looks at what leaves. */
    final boolean isRecorded;
    final long features;

    HostileSetting(final WorkerMode workers, final boolean isRecorded, final long without, final long with)
    {
        this.workers = workers;
        this.isRecorded = isRecorded;
        features = FrontendConfig.DEFAULT_FEATURES & ~without | with;
    }

    boolean isPacked()
    {
        return NetFeatures.has(features, NetFeatures.RING_PACKED);
    }
}
