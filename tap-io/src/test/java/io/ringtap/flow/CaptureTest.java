package io.ringtap.flow;

import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

import static io.ringtap.flow.TestFrame.assertSame;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assumptions.assumeFalse;

/** Real protocols, odd and truncated frames: sorted, merged and cut again they are what they were. */
class CaptureTest
{
    private final BatchFixture fixture = new BatchFixture();

    @AfterEach
    void close()
    {
        fixture.close();
    }

    @Test
    void shouldGiveEveryCapturedFrameBack() throws IOException
    {
        final List<Path> files = CaptureFile.all();
        assumeFalse(files.isEmpty(), "captures are absent");
        int frames = 0;
        int merged = 0;
        for (final Path file : files)
        {
            final List<byte[]> batch = new ArrayList<>();
            for (final byte[] frame : CaptureFile.frames(file))
            {
                if (frame.length >= FrameLayout.MIN_FRAME && frame.length <= FrameLayout.MAX_FRAME)
                {
                    batch.add(frame);
                }
                if (batch.size() == 64)
                {
                    merged += through(file, batch);
                    frames += batch.size();
                    batch.clear();
                }
            }
            merged += through(file, batch);
            frames += batch.size();
        }
        System.out.println("captures: " + files.size() + " files, " + frames + " frames, " + merged + " merged");
    }

    private int through(final Path file, final List<byte[]> sent)
    {
        final Map<Long, List<byte[]>> flows = new LinkedHashMap<>();
        for (final byte[] frame : sent)
        {
            final int i = fixture.add(frame);
            final long key = FlowKey.of(fixture.buffer, fixture.batch.offset(i), fixture.batch.linearLength(i));
            flows.computeIfAbsent(key, k -> new ArrayList<>()).add(frame);
        }
        assertEquals(flows.size(), fixture.sorter.sort(fixture.batch));
        final int merged = fixture.coalescer.coalesce(fixture.batch, Offloads.ALL);
        final List<byte[]> got = fixture.segmented();
        assertEquals(sent.size(), got.size(), file.toString());
        int k = 0;
        for (final List<byte[]> flow : flows.values())
        {
            for (final byte[] frame : flow)
            {
                assertSame(frame, got.get(k++));
            }
        }
        fixture.clear();
        return merged;
    }
}
