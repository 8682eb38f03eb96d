package io.ringtap.vhost.protocol;

/** How many file descriptors may come with a request. */
public enum Descriptors
{
    NONE(0, 0),
    ONE(1, 1),
    /** One, unless the payload says that there is none. */
    OPTIONAL(0, 1),
    /** None is right; one is tolerated and closed. */
    IGNORED(0, 1),
    /** As many as the table has regions. */
    PER_REGION(0, MemoryRegionsFlyweight.MAX_REGIONS);

    private final int min;
    private final int max;

    Descriptors(final int min, final int max)
    {
        this.min = min;
        this.max = max;
    }

    public boolean accepts(final int count)
    {
        return min <= count && count <= max;
    }

    public int min()
    {
        return min;
    }

    public int max()
    {
        return max;
    }

    /** The rule for people: {@code 1} or {@code 0..8}. */
    public String rule()
    {
        return min == max ? Integer.toString(min) : min + ".." + max;
    }
}
