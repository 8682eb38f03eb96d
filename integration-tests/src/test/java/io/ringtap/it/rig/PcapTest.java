package io.ringtap.it.rig;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The capture file and the frames that it carries between the two sides. */
class PcapTest
{
    @Test
    void shouldReadBackWhatItWrote(@TempDir final Path directory) throws IOException
    {
        final List<byte[]> sent = TestFrames.small();
        final Path file = Files.write(directory.resolve("frames.pcap"), Pcap.bytes(sent));

        final List<byte[]> read = Pcap.frames(file);

        assertEquals(1514 - 60 + 1, read.size());
        for (int i = 0; i < sent.size(); i++)
        {
            assertArrayEquals(sent.get(i), read.get(i));
        }
    }

    @Test
    void shouldStopAtRecordThatIsStillBeingWritten(@TempDir final Path directory) throws IOException
    {
        final byte[] whole = Pcap.bytes(List.of(new byte[60], new byte[61]));
        final Path file = Files.write(directory.resolve("cut.pcap"), Arrays.copyOf(whole, whole.length - 1));

        assertEquals(1, Pcap.frames(file).size());
    }

    @Test
    void shouldMakeTheSameFramesEveryTime()
    {
        assertArrayEquals(Pcap.bytes(TestFrames.jumbo()), Pcap.bytes(TestFrames.jumbo()));
        assertEquals(9014, TestFrames.jumbo().get(TestFrames.jumbo().size() - 1).length);
    }
}
