package io.ringtap.vhost.protocol;

/** What a back-end may ask on the channel of SET_BACKEND_REQ_FD. */
public enum BackendRequest
{
    IOTLB_MSG(1, Payload.IOTLB),
    CONFIG_CHANGE_MSG(2, Payload.NONE),
    VRING_HOST_NOTIFIER_MSG(3, null),
    VRING_CALL(4, Payload.VRING_STATE),
    VRING_ERR(5, Payload.VRING_STATE),
    SHARED_OBJECT_ADD(6, Payload.SHARED_OBJECT),
    SHARED_OBJECT_REMOVE(7, Payload.SHARED_OBJECT),
    SHARED_OBJECT_LOOKUP(8, Payload.SHARED_OBJECT),
    SHMEM_MAP(9, null),
    SHMEM_UNMAP(10, null);

    private final int code;
    private final Payload payload;

    BackendRequest(final int code, final Payload payload)
    {
        this.code = code;
        this.payload = payload;
    }

    public int code()
    {
        return code;
    }

    /** What follows the header; null for a layout that a net device never sends. */
    public Payload payload()
    {
        return payload;
    }
}
