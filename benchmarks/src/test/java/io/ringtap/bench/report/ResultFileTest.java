package io.ringtap.bench.report;

import io.ringtap.bench.harness.Bed;
import io.ringtap.bench.harness.Distribution;
import io.ringtap.bench.harness.Goal;
import io.ringtap.bench.harness.Row;
import io.ringtap.bench.harness.Sample;
import io.ringtap.bench.harness.Scenario;
import io.ringtap.bench.harness.ScenarioResult;
import io.ringtap.bench.harness.SideRun;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.w3c.dom.Document;

import java.io.ByteArrayInputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import javax.xml.parsers.DocumentBuilderFactory;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

/** A result survives its file, and becomes a chart and a page. */
class ResultFileTest
{
    private static final ScenarioResult RESULT = new ScenarioResult("tried", "Tried & found", "What <is> measured.",
        "./ringtap bench tried", "2026-01-02T03:04:05Z", Map.of("cpu", "one"), List.of(
        new Row("64 B", "Mpps", false,
        List.of(new SideRun("ringtap", List.of(new Sample(2, 100), new Sample(4, 120))),
        new SideRun("peer", List.of(new Sample(1, 250), new Sample(1, 250)))),
        List.of(new Goal("peer", 3), Goal.absolute(5)), new Distribution(1, 2, 3), new Distribution(4, 5, 6),
        "a note"),
        new Row("failed", "ms", true, List.of(new SideRun("ringtap", List.of())), List.of(new Goal("peer", 1)),
        Distribution.of(), Distribution.of(), "ringtap failed: for a reason")));

    @TempDir
    private Path directory;

    @Test
    void shouldReadBackWhatItWrote()
    {
        final Path file = directory.resolve("tried.json");
        ResultFile.write(file, RESULT);

        assertEquals(RESULT, ResultFile.read(file));
    }

    @Test
    void shouldPutAPartInThePlaceOfTheSameRowsAndKeepBothCommands()
    {
        final Row again = new Row("failed", "ms", true, List.of(new SideRun("ringtap", List.of(Sample.of(3)))),
            List.of(), Distribution.of(), Distribution.of(), "");
        final ScenarioResult part = new ScenarioResult("tried", "Tried & found", "What <is> measured.",
            "./ringtap bench tried --only failed", "2026-01-03T03:04:05Z", Map.of("cpu", "one"), List.of(again));

        final ScenarioResult whole = part.over(RESULT);

        assertEquals(List.of(RESULT.rows().get(0), again), whole.rows());
        assertEquals("./ringtap bench tried\n./ringtap bench tried --only failed", whole.command());
        assertEquals("2026-01-03T03:04:05Z", whole.date());
    }

    @Test
    void shouldDrawAWellFormedChart() throws Exception
    {
        final String chart = BarChart.draw(RESULT);
        final Document document = DocumentBuilderFactory.newInstance().newDocumentBuilder()
            .parse(new ByteArrayInputStream(chart.getBytes(StandardCharsets.UTF_8)));

        assertEquals(2, document.getElementsByTagName("rect").getLength());
        assertEquals("Tried & found", document.getElementsByTagName("title").item(0).getTextContent());
    }

    @Test
    void shouldReportRatiosGoalsAndWhatIsPending() throws Exception
    {
        ResultFile.write(directory.resolve("tried.json"), RESULT);
        Report.write(directory, List.of(scenario("tried"), scenario("untried")));
        final String page = Files.readString(directory.resolve("README.md"));

        assertTrue(page.contains("| peer | **3.00** (2.00-4.00) | >= 3.00 | met |"), page);
        assertTrue(page.contains("| **3.00 (2.00-4.00)** Mpps | >= 5.00 | **missed** |"), page);
        assertTrue(page.contains("*pending* | | `./ringtap bench untried`"), page);
        assertTrue(page.contains("- failed: ringtap failed: for a reason"), page);
        assertTrue(Files.exists(directory.resolve("tried.svg")));
    }

    private static Scenario scenario(final String name)
    {
        return new Scenario()
        {
            @Override
            public String name()
            {
                return name;
            }

            @Override
            public String title()
            {
                return name;
            }

            @Override
            public String about()
            {
                return name;
            }

            @Override
            public boolean needsPeers()
            {
                return false;
            }

            @Override
            public List<Row> run(final Bed bed)
            {
                throw new AssertionError("a report runs nothing");
            }
        };
    }
}
