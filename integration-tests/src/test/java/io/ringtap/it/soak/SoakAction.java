package io.ringtap.it.soak;

/** What happens in a soak, and how often against the others. */
enum SoakAction
{
    TRAFFIC(8), RESET(6), RECONNECT(4), NEW_GUEST(2), MIGRATE(4), PLUG_MEMORY(4), SPLIT_MEMORY(4), MTU(3), LINK(3),
    PROGRAM(4), CAPTURE(3), RELOAD(2), KILL(1);

    private final int weight;

    SoakAction(final int weight)
    {
        this.weight = weight;
    }

    int weight()
    {
        return weight;
    }

    /** Of all together. */
    static int total()
    {
        int total = 0;
        for (final SoakAction action : values())
        {
            total += action.weight;
        }
        return total;
    }

    /** @param at less than {@link #total}. */
    static SoakAction at(final int at)
    {
        int left = at;
        for (final SoakAction action : values())
        {
            left -= action.weight;
            if (left < 0)
            {
                return action;
            }
        }
        throw new IllegalArgumentException("no action at " + at);
    }
}
