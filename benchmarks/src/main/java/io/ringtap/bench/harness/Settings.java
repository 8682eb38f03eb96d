package io.ringtap.bench.harness;

import java.nio.file.Path;

/**
 * How a run of benchmarks is done.
 *
 * @param seconds       of each measurement.
 * @param warmUpSeconds of the unmeasured turn of each side before the first.
 * @param runs          turns of each side.
 * @param frontCpu      CPU of whoever makes the load: front-end, sender, receiver.
 * @param backCpu       CPU of what is measured.
 * @param hasPeers      whether peers and C loops run beside the backend.
 * @param only          rows to run: those with this text in their name; empty for all.
 * @param output        directory of results.
 * @param commandLine   as the user typed it.
 */
public record Settings(
    double seconds,
    double warmUpSeconds,
    int runs,
    int frontCpu,
    int backCpu,
    boolean hasPeers,
    String only,
    Path output,
    String commandLine)
{
}
