package io.ringtap.vhost.control;

/**
 * Which frames a guest receives, where, and with what hash. Immutable: workers are given another one between two of
 * their cycles.
 *
 * @param filter which frames; null for all.
 * @param hash   what is reported of them; null for the usual hash of all that can be hashed.
 * @param rss    on which pair; null for the one that the port chose.
 * @param pairs  the guest uses; more than there are for all.
 */
public record ReceiveRules(ReceiveFilter filter, ReceiveHash hash, RssTable rss, int pairs)
{
    /** Without a control queue of ours. */
    public static final ReceiveRules ALL = new ReceiveRules(null, null, null, Integer.MAX_VALUE);

    /** Whether the guest uses this pair; the first always, since the port has a queue for it. */
    public boolean uses(final int pair)
    {
        return pair < pairs || 0 == pair || null != rss && rss.names(pair);
    }
}
