package io.ringtap.bench.harness;

import java.util.List;

/** A benchmark: one or more comparisons on a bed of their own. */
public interface Scenario
{
    /** On the command line, and of the files. */
    String name();

    /** For people, short. */
    String title();

    /** What is measured, how, and where the frames end. */
    String about();

    /** Whether it is nothing without peers: then it only runs with {@code --peers} or by its name. */
    boolean needsPeers();

    /** Runs it. What fails inside a comparison becomes that row's note. */
    List<Row> run(Bed bed);
}
