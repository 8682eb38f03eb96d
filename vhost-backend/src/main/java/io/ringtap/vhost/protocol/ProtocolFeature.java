package io.ringtap.vhost.protocol;

/** The vhost-user protocol features, by the number of their bit. */
public enum ProtocolFeature
{
    MQ(0),
    LOG_SHMFD(1),
    RARP(2),
    REPLY_ACK(3),
    NET_MTU(4),
    BACKEND_REQ(5),
    CROSS_ENDIAN(6),
    CRYPTO_SESSION(7),
    PAGEFAULT(8),
    CONFIG(9),
    BACKEND_SEND_FD(10),
    HOST_NOTIFIER(11),
    INFLIGHT_SHMFD(12),
    RESET_DEVICE(13),
    INBAND_NOTIFICATIONS(14),
    CONFIGURE_MEM_SLOTS(15),
    STATUS(16),
    XEN_MMAP(17),
    SHARED_OBJECT(18),
    DEVICE_STATE(19),
    GET_VRING_BASE_INFLIGHT(20),
    GPA_ADDRESSES(21),
    SHMEM(22),
    GET_VRING_BASE_SKIP_DRAIN(23);

    private static final ProtocolFeature[] ALL = values();

    private final int bit;

    ProtocolFeature(final int bit)
    {
        this.bit = bit;
    }

    public int bit()
    {
        return bit;
    }

    public long mask()
    {
        return 1L << bit;
    }

    public boolean isIn(final long features)
    {
        return 0 != (features & mask());
    }

    /** The word with exactly these features. */
    public static long mask(final ProtocolFeature... features)
    {
        long mask = 0;
        for (final ProtocolFeature feature : features)
        {
            mask |= feature.mask();
        }

        return mask;
    }

    /** The names of the bits of a word, for people; a bit without a name is written as its number. */
    public static String names(final long features)
    {
        final StringBuilder names = new StringBuilder();
        for (int bit = 0; bit < Long.SIZE; bit++)
        {
            if (0 != (features & (1L << bit)))
            {
                names.append(names.isEmpty() ? "" : " ").append(bit < ALL.length ? ALL[bit].name() : "bit" + bit);
            }
        }

        return names.isEmpty() ? "none" : names.toString();
    }
}
