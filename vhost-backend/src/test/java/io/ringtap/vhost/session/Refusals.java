package io.ringtap.vhost.session;

import java.util.EnumMap;
import java.util.Map;
import java.util.TreeMap;

import io.ringtap.vhost.protocol.BackendRequest;
import io.ringtap.vhost.protocol.ProtocolFeature;

/** Why bits are not offered and messages of ours are never sent; the request table says it of front-ends' messages. */
final class Refusals
{
    private static final Map<ProtocolFeature, String> PROTOCOL = new EnumMap<>(ProtocolFeature.class);
    private static final Map<BackendRequest, String> BACKEND = new EnumMap<>(BackendRequest.class);
    private static final Map<Integer, String[]> VIRTIO = new TreeMap<>();

    private static final String NOT_NET = "not a matter of a net device";
    private static final String TRANSPORT = "a matter of the transport, which is the front-end's";

    static
    {
        PROTOCOL.put(ProtocolFeature.CROSS_ENDIAN, "a legacy big-endian guest cannot share memory with this host");
        PROTOCOL.put(ProtocolFeature.CRYPTO_SESSION, NOT_NET);
        PROTOCOL.put(ProtocolFeature.PAGEFAULT, "postcopy needs the guest's pages while they are still elsewhere: " +
            "a worker would wait for the network, and a copy by the JVM cannot be taken back");
        PROTOCOL.put(ProtocolFeature.BACKEND_SEND_FD, "we send no descriptor to a front-end");
        PROTOCOL.put(ProtocolFeature.HOST_NOTIFIER, "there is no doorbell in hardware to map");
        PROTOCOL.put(ProtocolFeature.XEN_MMAP, "guests of Xen share memory by grants, not by files");
        PROTOCOL.put(ProtocolFeature.SHARED_OBJECT, NOT_NET);
        PROTOCOL.put(ProtocolFeature.GPA_ADDRESSES, "ring addresses are taken as the front-end's");
        PROTOCOL.put(ProtocolFeature.SHMEM, NOT_NET);

        BACKEND.put(BackendRequest.VRING_HOST_NOTIFIER_MSG, "there is no doorbell in hardware to map");
        BACKEND.put(BackendRequest.SHARED_OBJECT_ADD, NOT_NET);
        BACKEND.put(BackendRequest.SHARED_OBJECT_REMOVE, NOT_NET);
        BACKEND.put(BackendRequest.SHARED_OBJECT_LOOKUP, NOT_NET);
        BACKEND.put(BackendRequest.SHMEM_MAP, NOT_NET);
        BACKEND.put(BackendRequest.SHMEM_UNMAP, NOT_NET);

        virtio(6, "GSO", "deprecated; CSUM with HOST_TSO4 and HOST_TSO6 says it better");
        virtio(36, "ORDER_PLATFORM", "for devices in hardware: our fences are those of the processor");
        virtio(37, "SR_IOV", TRANSPORT);
        virtio(38, "NOTIFICATION_DATA", "an eventfd does not carry the data of a doorbell");
        virtio(39, "NOTIF_CONFIG_DATA", TRANSPORT);
        virtio(41, "ADMIN_VQ", TRANSPORT);
        virtio(42, "SUSPEND", TRANSPORT);
        virtio(50, "DEVICE_STATS", "the backend's own counters say more, to whoever runs it");
        virtio(52, "VQ_NOTF_COAL", "notifications are kept down by what the driver's rings say and by their rate");
        virtio(53, "NOTF_COAL", "as VQ_NOTF_COAL");
        virtio(59, "GUEST_HDRLEN", "hdr_len is a hint that we do not need");
        virtio(61, "RSC_EXT", "merged frames carry no count of what they were merged from");
        virtio(62, "STANDBY", "the front-end's: which of two devices is used is its choice");
    }

    private Refusals()
    {
    }

    static String of(final ProtocolFeature feature)
    {
        return PROTOCOL.get(feature);
    }

    static String of(final BackendRequest request)
    {
        return BACKEND.get(request);
    }

    /** Bits of virtio that a net device may have and that have no name among ours, with their names and reasons. */
    static Map<Integer, String[]> virtio()
    {
        return VIRTIO;
    }

    private static void virtio(final int bit, final String name, final String reason)
    {
        VIRTIO.put(bit, new String[]{name, reason});
    }
}
