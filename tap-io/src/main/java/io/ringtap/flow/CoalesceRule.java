package io.ringtap.flow;

/** What a merged run may lose when it is taken apart again by somebody else. */
public enum CoalesceRule
{
    /**
     * Nothing, as in the kernel's GRO: checksums are there, identifications count up, or stay fixed on datagrams that
     * are never fragmented (RFC 6864, 4.1: then nobody may look at them; our own segmenter restores even those).
     */
    EXACT,
    /**
     * A UDP datagram over IPv4 without a checksum may come out with one, and a fixed identification may come out
     * counting even where fragmentation is allowed: no receiver can be worse off, and packet generators send just that.
     */
    EQUIVALENT
}
