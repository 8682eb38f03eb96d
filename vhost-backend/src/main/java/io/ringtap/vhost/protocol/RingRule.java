package io.ringtap.vhost.protocol;

/** What a request demands of the rings before it may change anything. */
public enum RingRule
{
    /** Nothing. */
    ANY,
    /** The ring that it names must be stopped. */
    THIS_STOPPED,
    /** Every ring must be stopped. */
    ALL_STOPPED
}
