package io.ringtap.vhost.control;

/** VLANs that the driver wants. Immutable. Tag 0 carries a priority and no VLAN, so it is always in. */
final class VlanSet
{
    static final int MAX_VLANS = 4096;
    private static final int ID = MAX_VLANS - 1;

    private final long[] bits;

    private VlanSet(final long[] bits)
    {
        this.bits = bits;
    }

    /** @param before null for none. */
    static VlanSet with(final VlanSet before, final int vlan, final boolean isIn)
    {
        final long[] bits = null == before ? new long[MAX_VLANS / Long.SIZE] : before.bits.clone();
        final long bit = 1L << vlan;
        bits[vlan / Long.SIZE] = isIn ? bits[vlan / Long.SIZE] | bit : bits[vlan / Long.SIZE] & ~bit;
        return new VlanSet(bits);
    }

    /** @param tag with its priority, or without. */
    boolean holds(final int tag)
    {
        final int vlan = tag & ID;
        return 0 == vlan || (bits[vlan / Long.SIZE] >>> vlan & 1) != 0;
    }
}
