package io.ringtap.xdp;

import java.util.Objects;

/**
 * A hook with the name that people see in counters.
 *
 * @param name what the operator wrote.
 * @param hook the instance of one queue and direction.
 */
public record NamedHook(String name, XdpHook hook)
{
    /** Refuses a hook or a name that is missing. */
    public NamedHook
    {
        Objects.requireNonNull(name, "name");
        Objects.requireNonNull(hook, "hook");
    }
}
