package io.ringtap.bench.report;

import io.ringtap.bench.harness.Distribution;
import io.ringtap.bench.harness.Row;
import io.ringtap.bench.harness.ScenarioResult;
import io.ringtap.bench.harness.SideRun;

import java.util.Locale;

/**
 * A result as a chart: a group of bars for each row, each group with its own scale, medians as bars and the least and
 * greatest turn as whiskers. Colours follow the reader's light or dark mode.
 */
public final class BarChart
{
    private static final int WIDTH = 860;
    private static final int LEFT = 210;
    private static final int BAR_WIDTH = 420;
    private static final int BAR_HEIGHT = 16;
    private static final int BAR_STEP = 21;
    private static final int GROUP_HEAD = 26;
    private static final int GROUP_GAP = 14;
    private static final int TITLE = 54;
    private static final int FOOT = 30;

    private static final String STYLE = """
          <style>
            text { font: 13px system-ui, sans-serif; fill: #24292f; }
            .title { font-size: 17px; font-weight: 600; }
            .row { font-weight: 600; }
            .small { font-size: 11.5px; fill: #57606a; }
            .label { text-anchor: end; }
            .ours { fill: #1f6feb; }
            .other { fill: #8c959f; }
            .whisker { stroke: #24292f; stroke-width: 1.4; }
            .axis { stroke: #d0d7de; }
            @media (prefers-color-scheme: dark) {
              text { fill: #e6edf3; }
              .small { fill: #9198a1; }
              .ours { fill: #4493f8; }
              .other { fill: #6e7681; }
              .whisker { stroke: #e6edf3; }
              .axis { stroke: #3d444d; }
            }
          </style>
        """;

    private final ScenarioResult result;
    private final StringBuilder out = new StringBuilder();

    private BarChart(final ScenarioResult result)
    {
        this.result = result;
    }

    /** The chart as an SVG document. */
    public static String draw(final ScenarioResult result)
    {
        return new BarChart(result).draw();
    }

    private String draw()
    {
        int height = TITLE + FOOT;
        for (final Row row : result.rows())
        {
            height += GROUP_HEAD + row.sides().size() * BAR_STEP + GROUP_GAP;
        }
        out.append(String.format(
            "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"%d\" height=\"%d\" viewBox=\"0 0 %d %d\" " +
            "role=\"img\">%n",
            WIDTH, height, WIDTH, height));
        out.append("  <title>").append(escape(result.title())).append("</title>\n").append(STYLE);
        text(16, 26, "title", result.title());
        text(16, 44, "small", "medians; whiskers from the least to the greatest turn; each group has its own scale");
        int y = TITLE;
        for (final Row row : result.rows())
        {
            y = group(row, y);
        }
        text(16, height - 10, "small", result.machine().getOrDefault("cpu", "") + "; " +
            result.machine().getOrDefault("kernel", "") + "; " + result.date());
        return out.append("</svg>\n").toString();
    }

    private int group(final Row row, final int top)
    {
        int y = top + GROUP_HEAD;
        text(16, y - 8, "row", row.name() + ", " + row.unit() + (row.isLessBetter() ? " (less is better)" : ""));
        double most = 0;
        for (final SideRun side : row.sides())
        {
            most = Math.max(most, side.values().isEmpty() ? 0 : side.values().max());
        }
        out.append(String.format("  <line class=\"axis\" x1=\"%d\" y1=\"%d\" x2=\"%d\" y2=\"%d\"/>%n",
            LEFT, y - 2, LEFT, y + row.sides().size() * BAR_STEP - 2));
        for (final SideRun side : row.sides())
        {
            bar(row, side, y, most);
            y += BAR_STEP;
        }
        return y + GROUP_GAP;
    }

    private void bar(final Row row, final SideRun side, final int y, final double most)
    {
        final boolean isOurs = side == row.ours();
        text(LEFT - 8, y + 12, "label", side.label());
        final Distribution values = side.values();
        if (values.isEmpty() || 0 == most)
        {
            text(LEFT + 8, y + 12, "small", values.isEmpty() ? "failed" : "0");
            return;
        }
        out.append(String.format(Locale.ROOT,
            "  <rect class=\"%s\" x=\"%d\" y=\"%d\" width=\"%.1f\" height=\"%d\"/>%n",
            isOurs ? "ours" : "other", LEFT, y, place(values.median(), most) - LEFT, BAR_HEIGHT));
        final double from = place(values.min(), most);
        final double to = place(values.max(), most);
        final int middle = y + BAR_HEIGHT / 2;
        out.append(String.format(Locale.ROOT, "  <path class=\"whisker\" fill=\"none\" " +
            "d=\"M%.1f %d V%d M%.1f %d H%.1f M%.1f %d V%d\"/>%n",
            from, middle - 4, middle + 4, from, middle, to, to, middle - 4, middle + 4));
        final String ratio = isOurs ? "" : "  (ours " + Figures.of(row.ratio(side).median()) + " x)";
        text((int)to + 8, y + 12, isOurs ? "row" : "small", Figures.of(values.median()) + ratio);
    }

    private static double place(final double value, final double most)
    {
        return LEFT + value / most * BAR_WIDTH;
    }

    private void text(final int x, final int y, final String style, final String words)
    {
        out.append(String.format("  <text class=\"%s\" x=\"%d\" y=\"%d\">%s</text>%n", style, x, y, escape(words)));
    }

    private static String escape(final String words)
    {
        return words.replace("&", "&amp;").replace("<", "&lt;").replace(">", "&gt;");
    }
}
