package io.ringtap.frag;

/**
 * How an arena is used at one moment.
 *
 * @param pages         all pages.
 * @param freePages     pages that nobody holds.
 * @param fragmentsOut  references to fragments that were not released yet.
 * @param pagesTaken    pages taken since the start: recycling without the arena does not count.
 * @param registrations how often somebody had to be told where the memory lies.
 */
public record ArenaReport(int pages, int freePages, long fragmentsOut, long pagesTaken, int registrations)
{
}
