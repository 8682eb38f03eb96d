package io.ringtap.it.fuzz;

/** What is fuzzed: a class among the tests of its module, named by what it takes. */
enum FuzzTarget
{
    MESSAGES("io.ringtap.vhost.session.SessionFuzz", 1024),
    CHAINS("io.ringtap.vhost.virtio.ChainFuzz", 1024),
    FRAMES("io.ringtap.flow.FrameFuzz", 512),
    OBJECTS("io.ringtap.xdp.bpf.elf.ObjectFuzz", 16_384),
    PROGRAMS("io.ringtap.xdp.bpf.ProgramFuzz", 1600),
    CONFIGURATION("io.ringtap.command.ConfigFuzz", 2048),
    CAPTURES("io.ringtap.xdp.trial.CaptureFuzz", 2048),
    RECORDINGS("io.ringtap.capture.RecordingFuzz", 256);

    private final String className;
    private final int longest;

    FuzzTarget(final String className, final int longest)
    {
        this.className = className;
        this.longest = longest;
    }

    String className()
    {
        return className;
    }

    /** Bytes of the longest input. */
    int longest()
    {
        return longest;
    }
}
