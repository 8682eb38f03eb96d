package io.ringtap.vhost.protocol;

/** The layouts that follow a header, with the rule for their length in bytes. */
public enum Payload
{
    NONE("none", 0, 0),
    U64("u64", U64Flyweight.LENGTH, U64Flyweight.LENGTH),
    VRING_STATE("vring state", VringStateFlyweight.LENGTH, VringStateFlyweight.LENGTH),
    VRING_ADDRESS("vring addresses", VringAddressFlyweight.LENGTH, VringAddressFlyweight.LENGTH),
    VRING_DESCRIPTOR("vring index and no-descriptor flag", U64Flyweight.LENGTH, U64Flyweight.LENGTH),
    /** Front-ends send the regions in use; the document draws all eight slots: both are accepted. */
    MEMORY_REGIONS("memory regions", MemoryRegionsFlyweight.HEADER_LENGTH, MemoryRegionsFlyweight.MAX_LENGTH),
    MEMORY_REGION("single memory region", MemoryRegionFlyweight.LENGTH, MemoryRegionFlyweight.LENGTH),
    LOG("log", LogFlyweight.LENGTH, LogFlyweight.LENGTH),
    IOTLB("iotlb", IotlbFlyweight.LENGTH, IotlbFlyweight.LENGTH),
    CONFIG("config", ConfigFlyweight.HEADER_LENGTH, MessageHeaderFlyweight.MAX_PAYLOAD_LENGTH),
    /** 20 bytes by the document, 24 by the {@code sizeof} of QEMU and DPDK. */
    INFLIGHT("inflight", InflightFlyweight.LENGTH, InflightFlyweight.PADDED_LENGTH),
    DEVICE_STATE("device state", DeviceStateFlyweight.LENGTH, DeviceStateFlyweight.LENGTH),
    SHARED_OBJECT("UUID", 16, 16),
    /** Only ever refused here, so its inside is nobody's business. */
    CRYPTO_SESSION("crypto session", 0, MessageHeaderFlyweight.MAX_PAYLOAD_LENGTH);

    private final String label;
    private final int minLength;
    private final int maxLength;

    Payload(final String label, final int minLength, final int maxLength)
    {
        this.label = label;
        this.minLength = minLength;
        this.maxLength = maxLength;
    }

    public String label()
    {
        return label;
    }

    public int minLength()
    {
        return minLength;
    }

    public int maxLength()
    {
        return maxLength;
    }

    public boolean accepts(final int length)
    {
        return minLength <= length && length <= maxLength;
    }

    /** The rule for people: {@code 8} or {@code 8..264}. */
    public String lengthRule()
    {
        return minLength == maxLength ? Integer.toString(minLength) : minLength + ".." + maxLength;
    }
}
