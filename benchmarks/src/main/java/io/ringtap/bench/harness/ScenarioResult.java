package io.ringtap.bench.harness;

import java.util.List;
import java.util.Map;

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
}
