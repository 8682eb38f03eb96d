package io.ringtap.frontend;

import io.ringtap.counters.CounterLabel;

/** What one queue pair of the built-in guest counts. */
public enum GuestCounter implements CounterLabel
{
    SENT_FRAMES("guest_sent_frames", "Frames shown to the device, a super-frame as one."),
    GENERATED_PACKETS("guest_generated_packets", "Test packets generated, each segment of a super-frame."),
    RETURNED_FRAMES("guest_returned_frames", "Frames that the device gave back as sent."),
    SENT_BYTES("guest_sent_bytes", "Bytes shown to the device, without net headers."),
    SEND_FULL("guest_send_full", "Times a frame found no room in the transmit ring."),
    KICKS("guest_kicks", "Times the device was notified."),
    RECEIVED_FRAMES("guest_received_frames", "Frames taken from the receive ring, a super-frame as one."),
    RECEIVED_BYTES("guest_received_bytes", "Bytes taken from the receive ring, without net headers."),
    RECEIVED_BUFFERS("guest_received_buffers", "Receive buffers that came back used."),
    RECEIVE_FAULTS("guest_receive_faults", "Frames that the device delivered wrongly: lengths or buffer count."),
    WAKEUPS("guest_wakeups", "Times a blocked thread was woken by the device's call.");

    private final String label;
    private final String meaning;

    GuestCounter(final String label, final String meaning)
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
