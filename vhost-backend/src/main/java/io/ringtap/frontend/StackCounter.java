package io.ringtap.frontend;

import io.ringtap.counters.CounterLabel;

/** What the guest's network stack did with the frames it was given. */
public enum StackCounter implements CounterLabel
{
    ARP_REPLIES("stack_arp_replies", "ARP requests for our address that were answered."),
    NEIGHBOUR_REPLIES("stack_neighbour_replies", "IPv6 neighbour solicitations for our addresses that were answered."),
    ECHO_REPLIES("stack_echo_replies", "Pings answered, IPv4 and IPv6."),
    UDP_ECHOES("stack_udp_echoes", "UDP datagrams sent back from the echo port."),
    LEARNED("stack_learned", "Answers to our own neighbour questions."),
    UNFINISHED("stack_unfinished", "Packets with a checksum that is only begun, begun right."),
    BAD_CHECKSUM("stack_bad_checksum", "Packets for us with a wrong checksum: dropped."),
    MALFORMED("stack_malformed", "Packets for us whose lengths contradict each other: dropped."),
    NO_ROOM("stack_no_room", "Answers that found no room in the transmit ring."),
    IGNORED("stack_ignored", "Frames that are none of ours or nothing we speak.");

    private final String label;
    private final String meaning;

    StackCounter(final String label, final String meaning)
    {
        this.label = label;
        this.meaning = meaning;
    }

    @Override
    public String label()
    {
        return label;
    }

    @Override
    public String meaning()
    {
        return meaning;
    }
}
