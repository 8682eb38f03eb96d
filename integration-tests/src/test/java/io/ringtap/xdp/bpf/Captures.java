package io.ringtap.xdp.bpf;

import io.ringtap.it.kernel.KernelProgram;
import io.ringtap.it.rig.HostFiles;
import io.ringtap.it.rig.Pcap;
import io.ringtap.it.rig.Progress;
import io.ringtap.it.rig.Settings;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/** Frames for comparisons: from a seed, and those of captures beside the project when there are any. */
final class Captures
{
    private static final Path FOLDER = Settings.root().resolve("../shared/data/pcaps");
    private static final int GENERATED = 3000;
    private static final long SEED = 20_261_130;

    private static List<byte[]> frames;

    private Captures()
    {
    }

    /** All of them, of lengths that the kernel runs programs on. */
    static synchronized List<byte[]> frames()
    {
        if (null == frames)
        {
            final List<byte[]> all = new ArrayList<>();
            final FrameGenerator generator = new FrameGenerator(SEED);
            for (int i = 0; i < GENERATED; i++)
            {
                all.add(generator.next());
            }
            final int generated = all.size();
            for (final Path file : HostFiles.list(FOLDER))
            {
                if (file.toString().endsWith(".pcap") && isOfThisByteOrder(file))
                {
                    all.addAll(Pcap.frames(file));
                }
            }
            all.removeIf(frame ->
                frame.length < FrameWindow.MIN_FRAME || frame.length > KernelProgram.LONGEST_FRAME);
            Progress.say(generated + " frames from seed " + SEED + ", " + (all.size() - generated) +
                " from captures in " + FOLDER.normalize());
            frames = all;
        }
        return frames;
    }

    private static boolean isOfThisByteOrder(final Path file)
    {
        final String head = HostFiles.read(file);
        return head.startsWith("\u00d4\u00c3\u00b2\u00a1") || head.startsWith("\u004d\u003c\u00b2\u00a1");
    }
}
