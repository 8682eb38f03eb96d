package io.ringtap.xdp.bpf;

import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/** The helpers that programs may call. */
public final class HelperSet
{
    /** No helpers at all, but tail calls. */
    public static final HelperSet NONE = new HelperSet(List.of());

    private final Map<Integer, Helper> byId = new HashMap<>();

    /** @param helpers each with an id of its own. */
    public HelperSet(final Collection<Helper> helpers)
    {
        for (final Helper helper : helpers)
        {
            if (null != byId.put(helper.id(), helper))
            {
                throw new IllegalArgumentException("two helpers have the id " + helper.id());
            }
        }
    }

    /** The helper with an id; null when there is none. */
    public Helper find(final int id)
    {
        return byId.get(id);
    }
}
