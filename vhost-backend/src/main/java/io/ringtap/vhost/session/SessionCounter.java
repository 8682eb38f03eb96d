package io.ringtap.vhost.session;

import io.ringtap.counters.CounterLabel;

/** What happens on a vhost-user socket. */
public enum SessionCounter implements CounterLabel
{
    SESSIONS("sessions", "A front-end was connected."),
    DISCONNECTS("disconnects", "A session ended, whatever the reason."),
    SECOND_FRONTENDS("second_frontends", "A front-end was sent away because another one is connected."),
    RESTS("rests", "Front-ends came faster than --session-rate, and the next one had to wait."),
    ACCEPT_FAILURES("accept_failures", "The host had no descriptor left for a front-end."),
    CONNECT_FAILURES("connect_failures", "Nobody listened where we connect to."),
    MESSAGES("messages", "A message arrived whole."),
    REPLIES("replies", "A message was answered."),
    REFUSED_MESSAGES("refused_messages", "A message was refused and changed nothing."),
    UNKNOWN_MESSAGES("unknown_messages", "A message of no request that we know of was ignored."),
    CLOSED_DESCRIPTORS("closed_descriptors", "A descriptor came with a message that was refused, and was closed."),
    TRUNCATED_DESCRIPTORS("truncated_descriptors", "A message came with more descriptors than could be received."),
    PROTOCOL_VIOLATIONS("protocol_violations", "A session was closed because its stream could not be trusted."),
    SESSION_FAILURES("session_failures", "A session was closed because of a fault of ours."),
    IOTLB_UPDATES("iotlb_updates", "A translation of the guest's IOMMU was told."),
    IOTLB_INVALIDATIONS("iotlb_invalidations", "A translation of the guest's IOMMU was taken back."),
    IOTLB_MISSES("iotlb_misses", "The front-end was asked for a translation."),
    BACKEND_MESSAGES("backend_messages", "The front-end was told of something without being asked."),
    BACKEND_REFUSALS("backend_refusals", "The front-end answered such a message with a failure."),
    CONTROL_COMMANDS("control_commands", "The guest's driver asked for something on the control queue."),
    CONTROL_REFUSALS("control_refusals", "Such a command was refused and changed nothing."),
    RINGS_STARTED("rings_started", "A ring was started."),
    RINGS_STOPPED("rings_stopped", "A ring was stopped by the front-end.");

    private final String label;
    private final String meaning;

    SessionCounter(final String label, final String meaning)
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
