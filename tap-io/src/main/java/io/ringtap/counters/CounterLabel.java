package io.ringtap.counters;

/** What an enum of counters says of each. */
public interface CounterLabel
{
    /** Name for machines: lower case, words joined by underscores. */
    String label();

    /** One sentence for people: what happened when it goes up. */
    String meaning();
}
