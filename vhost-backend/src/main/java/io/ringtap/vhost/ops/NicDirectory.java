package io.ringtap.vhost.ops;

import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentSkipListMap;
import java.util.concurrent.ConcurrentSkipListSet;

/** The NICs of this process by name; they come and go on any thread. */
public final class NicDirectory
{
    /** The argument that names a NIC. */
    public static final String PORT = "port";

    private final Map<String, Nic> nics = new ConcurrentSkipListMap<>();
    private final Set<String> missing = new ConcurrentSkipListSet<>();

    /** Nobody yet. */
    public NicDirectory()
    {
    }

    /** From now on commands find it. */
    public void add(final Nic nic)
    {
        nics.put(nic.name(), nic);
        missing.remove(nic.name());
    }

    /** Whether one that should be there is not: it failed, and is tried again. */
    public void miss(final String name, final boolean isMissed)
    {
        if (isMissed)
        {
            missing.add(name);
        }
        else
        {
            missing.remove(name);
        }
    }

    /** Names of those that should be there. */
    public Collection<String> missing()
    {
        return List.copyOf(missing);
    }

    /** From now on no command finds it; one that has it already may still look at it. */
    public void remove(final Nic nic)
    {
        nics.remove(nic.name(), nic);
    }

    public Collection<Nic> all()
    {
        return List.copyOf(nics.values());
    }

    /** Those that the request names by {@link #PORT}; all when it names none. */
    public Collection<Nic> named(final Request request)
    {
        return request.has(PORT) ? List.of(one(request)) : all();
    }

    /**
     * The one that the request names by {@link #PORT}; the only one when it names none.
     *
     * @throws CommandException when there is no such NIC.
     */
    public Nic one(final Request request)
    {
        final String name = request.text(PORT, null);
        final Nic nic = null != name ? nics.get(name) :
            1 == nics.size() ? nics.values().iterator().next() : null;
        if (null == nic)
        {
            throw null == name ?
                new CommandException("no port", nics.size() + " are served", "name one of " + nics.keySet()) :
                new CommandException(PORT + "=" + Request.shortened(name), "no such port is served",
                    "name one of " + nics.keySet());
        }
        return nic;
    }
}
