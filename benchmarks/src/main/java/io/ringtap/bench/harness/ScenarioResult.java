package io.ringtap.bench.harness;

import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * Everything about one run of one benchmark.
 *
 * @param name    its name on the command line, and its files'.
 * @param title   for people.
 * @param about   what is measured, how and with which sink.
 * @param command that ran it.
 * @param date    of the run, as ISO 8601.
 * @param machine what it ran on.
 * @param rows    the comparisons.
 */
public record ScenarioResult(
    String name,
    String title,
    String about,
    String command,
    String date,
    Map<String, String> machine,
    List<Row> rows)
{
    /** This run, which was a part, in the place of the same rows of an older one; both commands are kept. */
    public ScenarioResult over(final ScenarioResult older)
    {
        final Map<String, Row> merged = new LinkedHashMap<>();
        older.rows.forEach(row -> merged.put(row.name(), row));
        rows.forEach(row -> merged.put(row.name(), row));
        final Set<String> commands = new LinkedHashSet<>(List.of(older.command.split("\n")));
        commands.add(command);
        return new ScenarioResult(name, title, about, String.join("\n", commands), date, machine,
            List.copyOf(merged.values()));
    }
}
