package io.ringtap.top;

import io.ringtap.terminal.Canvas;
import io.ringtap.terminal.Style;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

/**
 * The whole screen: a bar, the ports, the table of queues, and below it what was lost and how batches and times are
 * spread, as far as there is room. The table comes first: rows that do not fit are scrolled to.
 */
final class Picture
{
    private static final int MAX_PORT_LINES = 4;
    private static final int BRIEF = 3;
    private static final int WIDE = 110;
    private static final int WIDEST = 150;
    private static final int MAX_PANELS = 22;

    private final Glyphs glyphs;
    private final String title;

    /** @param title which backend, as the user named it. */
    Picture(final Glyphs glyphs, final String title)
    {
        this.glyphs = glyphs;
        this.title = title;
    }

    /** The columns of a screen so wide. */
    static List<Column> columns(final Reading reading, final ViewState state, final int width)
    {
        return Column.fitting(width, 1 < reading.ports().size(), state.isBytes());
    }

    /** @param trouble why there is nothing new; null when there is. */
    Canvas draw(final Reading reading, final ViewState state, final String trouble, final int rows, final int columns)
    {
        final Canvas canvas = new Canvas(rows, columns);
        if (state.isHelp())
        {
            HelpPanel.draw(canvas);
        }
        else
        {
            body(canvas, reading, state);
        }
        head(canvas, state, trouble);
        foot(canvas, state);
        return canvas;
    }

    private void head(final Canvas canvas, final ViewState state, final String trouble)
    {
        canvas.bar(0, Style.BAR);
        final int end = canvas.put(0, 1, Style.BAR_BOLD, "ringtap top");
        final String now = null != trouble ? trouble : state.isPaused() ? "PAUSED" :
            "every " + interval(state.interval()) + " s";
        final String right = state.isHelp() || state.range().isEmpty() ? now : state.range() + "   " + now;
        final int room = canvas.columns() - end - 2 - right.length() - 2;
        canvas.put(0, end + 2, Style.BAR, shortened(title, room));
        canvas.right(0, canvas.columns() - 1, null != trouble || state.isPaused() ? Style.BAR_BOLD : Style.BAR, right);
    }

    private static void foot(final Canvas canvas, final ViewState state)
    {
        final int row = canvas.rows() - 1;
        canvas.bar(row, Style.BAR);
        int at = 1;
        for (final String[] key : new String[][]{{"q", "quit"}, {"?", "help"},
            {"p", state.isPaused() ? "go on" : "pause"}, {"s", "sort"}, {"r", "reverse"},
            {"u", state.isBytes() ? "bits" : "bytes"}, {"a", state.isSummed() ? "queues" : "all in one"},
            {"+ -", "interval"}})
        {
            if (at + key[0].length() + 1 + key[1].length() < canvas.columns())
            {
                at = canvas.put(row, at, Style.BAR_BOLD, key[0]);
                at = canvas.put(row, at + 1, Style.BAR, key[1]) + 2;
            }
        }
    }

    private void body(final Canvas canvas, final Reading reading, final ViewState state)
    {
        if (reading.isEmpty())
        {
            canvas.put(2, 1, Style.DIM, "waiting for the first answer");
            return;
        }
        int at = ports(canvas, reading, state, 1);
        final int bottom = canvas.rows() - 1;
        final int left = bottom - at - 1;
        final int wanted = reading.rows(state.isSummed()).size();
        // Under the table: a blank line and panels, or a blank line and a line each, or nothing.
        final int beyond = left - wanted;
        final int brief = 1 + BRIEF;
        final int below = beyond > DistributionPanel.LEAST ? Math.min(beyond, MAX_PANELS) :
            left >= brief + 2 ? brief : 0;
        at = new TablePanel(glyphs).draw(canvas, reading, state, at, left - below);
        if (brief == below)
        {
            new BriefPanel(glyphs).draw(canvas, reading, bottom - BRIEF);
        }
        else if (0 < below)
        {
            panels(canvas, reading, at + 1, Math.min(bottom, at + below));
        }
    }

    private int ports(final Canvas canvas, final Reading reading, final ViewState state, final int row)
    {
        final List<Snapshot.Port> ports = reading.ports();
        int at = row;
        if (ports.isEmpty())
        {
            canvas.put(at, 1, Style.WARN, "no ports are served");
            return at + 1;
        }
        if (ports.size() > MAX_PORT_LINES)
        {
            final long guests = ports.stream().filter(Snapshot.Port::isConnected).count();
            final int end = canvas.put(at, 1, Style.BOLD, ports.size() + " ports");
            canvas.put(at, end + 2, guests == ports.size() ? Style.GOOD : Style.WARN, guests + " with a guest");
            totals(canvas, at, reading, null, state.isBytes());
            return at + 1;
        }
        for (final Snapshot.Port port : ports)
        {
            port(canvas, at, port);
            totals(canvas, at, reading, port.name(), state.isBytes());
            at++;
        }
        return at;
    }

    private static void port(final Canvas canvas, final int row, final Snapshot.Port port)
    {
        int at = canvas.put(row, 1, Style.BOLD, shortened(port.name(), 15));
        at = canvas.put(row, at + 2, port.isConnected() ? Style.GOOD : Style.WARN,
            port.isConnected() ? "guest connected" : "no guest");
        at = canvas.put(row, at + 2, "up".equals(port.link()) ? Style.GOOD : Style.WARN, "link " + port.link());
        if (canvas.columns() >= WIDEST)
        {
            at = port.name().equals(port.device()) ? at : canvas.put(row, at + 2, Style.DIM, port.device());
            canvas.put(row, at + 2, Style.DIM, "mtu " + port.mtu() + "  pages " + port.pagesUsed() + " of " +
                port.pages());
        }
    }

    /** Both directions together, at the right. */
    private static void totals(
        final Canvas canvas, final int row, final Reading reading, final String port, final boolean isBytes)
    {
        final List<String> texts = new ArrayList<>();
        for (final boolean isToGuest : new boolean[]{true, false})
        {
            final Row total = reading.total(port, isToGuest);
            texts.add((isToGuest ? "to guest " : "from guest ") + Figures.rate(total.packets(), "p/s") +
                (canvas.columns() < WIDE ? "" : " " + Figures.rate(isBytes ? total.bytes() : total.bits(),
                isBytes ? "B/s" : "bit/s")));
        }
        int end = canvas.columns() - 1;
        canvas.right(row, end, Style.SECOND, texts.get(0));
        end -= texts.get(0).length() + 2;
        canvas.right(row, end, Style.FIRST, texts.get(1));
    }

    private void panels(final Canvas canvas, final Reading reading, final int row, final int end)
    {
        final int width = canvas.columns();
        if (width >= WIDE + DistributionPanel.GAP)
        {
            final int losses = width - DistributionPanel.width(width) - 2 * DistributionPanel.GAP;
            new LossPanel(glyphs).draw(canvas, reading, row, end, losses);
            new DistributionPanel(glyphs).draw(canvas, reading, row, end, losses + DistributionPanel.GAP + 1);
            return;
        }
        final int charts = Math.max(DistributionPanel.LEAST - 2, (end - row) * 2 / 3);
        new LossPanel(glyphs).draw(canvas, reading, row, end - charts - 1, width - 2);
        new DistributionPanel(glyphs).draw(canvas, reading, end - charts, end, 1);
    }

    static String shortened(final String text, final int most)
    {
        return text.length() <= most ? text : most < 2 ? "" : text.substring(0, most - 1) + "~";
    }

    private static String interval(final double seconds)
    {
        return seconds == Math.rint(seconds) ? Integer.toString((int)seconds) :
            String.format(Locale.ROOT, "%.1f", seconds);
    }
}
