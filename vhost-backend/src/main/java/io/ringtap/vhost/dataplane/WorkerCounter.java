package io.ringtap.vhost.dataplane;

import io.ringtap.counters.CounterLabel;

/** What one worker counts; written by that worker alone. */
public enum WorkerCounter implements CounterLabel
{
    /** Frames read from the guest's transmit ring. */
    GUEST_FRAMES("guest-frames", "frames taken from the guest"),
    /** Their bytes, without net headers. */
    GUEST_BYTES("guest-bytes", "bytes of frames taken from the guest"),
    /** Batches of them. */
    GUEST_BATCHES("guest-batches", "batches of frames taken from the guest"),
    /** Frames put into the guest's receive ring. */
    HOST_FRAMES("host-frames", "frames given to the guest"),
    /** Their bytes, without net headers. */
    HOST_BYTES("host-bytes", "bytes of frames given to the guest"),
    /** Batches of them. */
    HOST_BATCHES("host-batches", "batches of frames given to the guest"),
    /** Frames copied whole into a small slot. */
    SMALL_PATH("small-path", "frames that took the small-packet path: one copy into a page fragment"),
    /** Frames whose head was copied and whose rest was sent from guest memory. */
    SCATTER_PATH("scatter-path", "frames too long for a small slot, sent from guest memory behind a copied head"),
    /** Guest frames that left as part of a super-frame of another. */
    GUEST_MERGED("guest-merged", "guest frames that left inside the super-frame of the first of their run"),
    /** Frames that reach the guest as part of a super-frame of another. */
    HOST_MERGED("host-merged", "frames given to the guest inside the super-frame of the first of their run"),
    /** Guest frames shorter than an Ethernet header. */
    DROP_SHORT("drop-short", "guest frames shorter than 14 bytes"),
    /** Guest frames longer than a super-frame. */
    DROP_LONG("drop-long", "guest frames longer than 65550 bytes"),
    /** Guest frames whose net header contradicts the frame or the negotiated features. */
    DROP_NET_HEADER("drop-net-header", "guest frames with an invalid net header"),
    /** Guest chains shorter than the net header, or with nothing to read. */
    DROP_CHAIN("drop-chain", "malformed chains given back with length 0"),
    /** Frames a hook dropped. */
    DROP_HOOK("drop-hook", "frames that a hook dropped"),
    /** Frames a hook failed on. */
    DROP_ABORTED("drop-aborted", "frames dropped because a hook failed on them"),
    /** Redirected frames without a way. */
    DROP_REDIRECT("drop-redirect", "frames with verdict REDIRECT that named no port, an unknown one or a full one"),
    /** Frames changed by a hook that only looks. */
    DROP_EDIT("drop-edit", "frames whose offloads no longer fit after an unexpected change by a hook"),
    /** Frames that passed all hooks. */
    HOOK_PASSED("hook-passed", "frames that passed all hooks"),
    /** Frames that a hook redirected. */
    HOOK_REDIRECTED("hook-redirected", "frames with verdict REDIRECT, whether they found a way or not"),
    /** Checksums completed for hooks. */
    HOOK_COMPLETED("hook-completed", "begun checksums that were completed for hooks that change frames"),
    /** Super-frames cut for hooks. */
    HOOK_CUT("hook-cut", "super-frames that were cut for hooks that change frames"),
    /** Frames copied for hooks. */
    HOOK_WHOLE("hook-whole", "long frames that were copied into one piece for hooks that want them whole"),
    /** Guest frames consumed from a ring that is not enabled. */
    DROP_DISABLED("drop-disabled", "guest frames discarded because the ring is not enabled"),
    /** Frames for the guest that its buffers cannot hold. */
    DROP_TOO_BIG("drop-too-big", "frames longer than the guest's receive buffers allow"),
    /** Super-frames or partial checksums that could not be turned into what the other side takes. */
    DROP_OFFLOAD("drop-offload", "frames that could not be segmented for a receiver without the offload"),
    /** Frames that the guest's filter keeps out. */
    DROP_FILTERED("drop-filtered", "frames for an address or a VLAN that the guest does not want"),
    /** Frames for another pair that could not be given to it. */
    DROP_STEERED("drop-steered", "frames for another queue pair that had no room or does not receive"),
    /** Frames that changed pairs. */
    STEERED("steered", "frames given to the queue pair that the guest chose for their hash"),
    /** Frames in flight when a ring was stopped. */
    DROP_STOPPED("drop-stopped", "frames in flight when their ring or port went away"),
    /** A reflected frame found no room. */
    DROP_REFLECT("drop-reflect", "frames with verdict TX that found no room on the way back"),
    /** Frames turned round by a hook's TX verdict. */
    REFLECTED("reflected", "frames sent back to where they came from by verdict TX"),
    /** The allocator was empty: gathering waited. */
    FRAGMENTS_EXHAUSTED("fragments-exhausted", "times no page fragment was free"),
    /** Times the receive ring had no buffers for a frame at hand. */
    RECEIVE_STARVED("receive-starved", "times the guest had no receive buffers for frames at hand"),
    /** Times the port held frames back. */
    PORT_HELD_BACK("port-held-back", "times the port could not take all frames at once"),
    /** Times the operator's limit was reached. */
    RATE_LIMITED("rate-limited", "times frames had to wait because of the rate limit"),
    /** Times the rings rested because of chains without frames. */
    RESTED("rested", "times rings were left alone for a while because their chains carried no frames"),
    /** Notifications sent to the driver. */
    NOTIFIED("notified", "notifications sent to the driver"),
    /** Notifications that waited a moment, to be one with those that followed. */
    NOTIFY_DEFERRED("notify-deferred", "notifications put off by microseconds to be one with those that follow"),
    /** Publications for which the driver wanted no notification. */
    NOT_NOTIFIED("not-notified", "publications without a notification because the driver wanted none"),
    /** Times the worker slept. */
    PARKED("parked", "times the worker went to sleep"),
    /** Wake-ups by a kick, a command or the port. */
    WOKEN("woken", "times the worker was woken"),
    /** Turns that others on the same thread had instead. */
    TURNS_WAITED("turns-waited", "turns left to other NICs on the same thread because this one had more of it"),
    /** Time on a thread that NICs share. */
    THREAD_NS("thread-ns", "nanoseconds of a thread that several NICs share"),
    /** Work cycles that failed with an exception; each stopped this pair's rings. */
    FAILED("failed", "work cycles that failed and stopped the rings of the pair");

    private final String label;
    private final String meaning;

    WorkerCounter(final String label, final String meaning)
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
