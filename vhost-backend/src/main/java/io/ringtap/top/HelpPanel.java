package io.ringtap.top;

import io.ringtap.terminal.Canvas;
import io.ringtap.terminal.Style;

import java.util.List;

/** What keys do and what figures mean. */
final class HelpPanel
{
    private static final List<String[]> KEYS = List.of(
        new String[]{"q", "quit"},
        new String[]{"p, space", "pause, and go on"},
        new String[]{"s", "sort by the next column; after the last by queue again"},
        new String[]{"r", "turn the order round"},
        new String[]{"u", "bits or bytes"},
        new String[]{"a", "all queues of a port in one, and apart again"},
        new String[]{"+ -", "a longer, a shorter interval"},
        new String[]{"arrows, j k", "scroll, where the table is longer than the screen"});

    private static final List<String[]> WORDS = List.of(
        new String[]{"BATCH", "mean frames of a batch: the more, the less each costs"},
        new String[]{"CALLS/PKT", "system calls a packet, notifications of the driver included"},
        new String[]{"LOST/S", "frames lost a second; below the table the reasons"},
        new String[]{"50 % <, 99 % <", "so many frames stayed in the backend for less than this"},
        new String[]{"WAITS/S", "times frames had to wait: for the guest, the host, or a limit"},
        new String[]{"SMALL", "share of frames that were copied whole into a page fragment"},
        new String[]{"MERGED", "share of frames that went on inside another's super-frame"},
        new String[]{"TREND", "packets a second, the newest to the right"});

    private static final int WORD = 16;

    private HelpPanel()
    {
    }

    static void draw(final Canvas canvas)
    {
        int row = 2;
        canvas.put(row++, 2, Style.BOLD, "KEYS");
        row = list(canvas, row, KEYS) + 1;
        canvas.put(row++, 2, Style.BOLD, "FIGURES");
        list(canvas, row, WORDS);
    }

    private static int list(final Canvas canvas, final int first, final List<String[]> items)
    {
        int row = first;
        for (final String[] item : items)
        {
            canvas.put(row, 2, Style.FIRST, item[0]);
            canvas.put(row, 2 + WORD, Style.PLAIN, item[1]);
            row++;
        }
        return row;
    }
}
