package io.ringtap.vhost.virtio;

/** The four kinds of rings that every behaviour is tried on. */
enum RingKind
{
    SPLIT(RingFixture.BASIC),
    SPLIT_EVENT(RingFixture.EVENT),
    PACKED(RingFixture.PACKED),
    PACKED_EVENT(RingFixture.PACKED | RingFixture.EVENT);

    final long features;

    RingKind(final long features)
    {
        this.features = features;
    }
}
