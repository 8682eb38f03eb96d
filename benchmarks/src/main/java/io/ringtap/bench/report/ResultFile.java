package io.ringtap.bench.report;

import io.ringtap.bench.harness.Distribution;
import io.ringtap.bench.harness.Goal;
import io.ringtap.bench.harness.Row;
import io.ringtap.bench.harness.Sample;
import io.ringtap.bench.harness.ScenarioResult;
import io.ringtap.bench.harness.SideRun;
import io.ringtap.it.rig.HostFiles;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** A result in its file. What can be computed from the samples is written for readers and not read back. */
public final class ResultFile
{
    private ResultFile()
    {
    }

    public static void write(final Path file, final ScenarioResult result)
    {
        final Map<String, Object> map = new LinkedHashMap<>();
        map.put("name", result.name());
        map.put("title", result.title());
        map.put("about", result.about());
        map.put("command", result.command());
        map.put("date", result.date());
        map.put("machine", result.machine());
        final List<Object> rows = new ArrayList<>();
        result.rows().forEach(row -> rows.add(row(row)));
        map.put("rows", rows);
        HostFiles.write(file, Json.write(map));
    }

    public static ScenarioResult read(final Path file)
    {
        final Map<String, Object> map = Json.object(Json.parse(HostFiles.read(file)));
        final Map<String, String> machine = new LinkedHashMap<>();
        Json.object(map.get("machine")).forEach((key, value) -> machine.put(key, (String)value));
        final List<Row> rows = new ArrayList<>();
        Json.array(map.get("rows")).forEach(row -> rows.add(row(Json.object(row))));
        return new ScenarioResult((String)map.get("name"), (String)map.get("title"), (String)map.get("about"),
            (String)map.get("command"), (String)map.get("date"), machine, rows);
    }

    private static Map<String, Object> row(final Row row)
    {
        final Map<String, Object> map = new LinkedHashMap<>();
        map.put("name", row.name());
        map.put("unit", row.unit());
        map.put("lessIsBetter", row.isLessBetter());
        final List<Object> ratios = new ArrayList<>();
        row.sides().stream().skip(1).forEach(other ->
        {
            final Map<String, Object> ratio = new LinkedHashMap<>();
            ratio.put("to", other.label());
            ratio.putAll(distribution(row.ratio(other)));
            ratio.put("byProcessorTime", row.cpuRatio(other));
            ratios.add(ratio);
        });
        map.put("ratios", ratios);
        final List<Object> goals = new ArrayList<>();
        row.goals().forEach(goal ->
        {
            final Map<String, Object> each = new LinkedHashMap<>();
            each.put("against", goal.against());
            each.put("bound", goal.bound());
            each.put("reached", row.reached(goal));
            each.put("isMet", row.isMet(goal));
            goals.add(each);
        });
        map.put("goals", goals);
        final List<Object> sides = new ArrayList<>();
        row.sides().forEach(side -> sides.add(side(side)));
        map.put("sides", sides);
        map.put("systemCallNs", distribution(row.systemCallNs()));
        map.put("coreToCoreNs", distribution(row.coreToCoreNs()));
        map.put("note", row.note());
        return map;
    }

    private static Map<String, Object> side(final SideRun side)
    {
        final Map<String, Object> map = new LinkedHashMap<>();
        map.put("label", side.label());
        map.putAll(distribution(side.values()));
        final List<Object> values = new ArrayList<>();
        final List<Object> cpu = new ArrayList<>();
        side.samples().forEach(sample ->
        {
            values.add(sample.value());
            cpu.add(sample.cpuNs());
        });
        map.put("values", values);
        map.put("cpuNs", cpu);
        return map;
    }

    private static Map<String, Object> distribution(final Distribution values)
    {
        final Map<String, Object> map = new LinkedHashMap<>();
        map.put("min", values.min());
        map.put("median", values.median());
        map.put("max", values.max());
        return map;
    }

    private static Row row(final Map<String, Object> map)
    {
        final List<SideRun> sides = new ArrayList<>();
        Json.array(map.get("sides")).forEach(side -> sides.add(sideRun(Json.object(side))));
        final List<Goal> goals = new ArrayList<>();
        Json.array(map.get("goals")).forEach(goal -> goals.add(new Goal(
            (String)Json.object(goal).get("against"), Json.number(Json.object(goal).get("bound")))));
        return new Row((String)map.get("name"), (String)map.get("unit"), (Boolean)map.get("lessIsBetter"), sides,
            goals, distribution(Json.object(map.get("systemCallNs"))),
            distribution(Json.object(map.get("coreToCoreNs"))), (String)map.get("note"));
    }

    private static SideRun sideRun(final Map<String, Object> map)
    {
        final List<Object> values = Json.array(map.get("values"));
        final List<Object> cpu = Json.array(map.get("cpuNs"));
        final List<Sample> samples = new ArrayList<>();
        for (int i = 0; i < values.size(); i++)
        {
            samples.add(new Sample(Json.number(values.get(i)), Json.number(cpu.get(i))));
        }
        return new SideRun((String)map.get("label"), samples);
    }

    private static Distribution distribution(final Map<String, Object> map)
    {
        return new Distribution(
            Json.number(map.get("min")), Json.number(map.get("median")), Json.number(map.get("max")));
    }
}
