package io.ringtap;

import io.ringtap.xdp.HookChain;
import io.ringtap.xdp.HookLoader;
import io.ringtap.xdp.NamedHook;
import io.ringtap.xdp.SourceMacFilter;

import java.util.ArrayList;
import java.util.List;

/** The hook chains that a configuration asks for: one instance of each filter a queue and direction. */
final class BackendHooks
{
    private final List<HookLoader> loaders = new ArrayList<>();
    private final long mac;

    /** @throws io.ringtap.xdp.HookLoadException when a filter cannot be made. */
    BackendHooks(final BackendConfig config)
    {
        mac = config.mac();
        for (final String filter : config.filters())
        {
            loaders.add(HookLoader.of(filter));
        }
    }

    /** Anti-spoof first, when a MAC is set, then the filters in the order given. */
    HookChain fromGuest()
    {
        final List<NamedHook> hooks = new ArrayList<>();
        if (mac != BackendConfig.NONE)
        {
            hooks.add(new NamedHook("source-mac", new SourceMacFilter(text(mac))));
        }
        addFilters(hooks);
        return new HookChain(hooks);
    }

    HookChain toGuest()
    {
        final List<NamedHook> hooks = new ArrayList<>();
        addFilters(hooks);
        return new HookChain(hooks);
    }

    /** Six bytes, the first in the low bits, as people write them. */
    private static String text(final long mac)
    {
        final StringBuilder text = new StringBuilder();
        for (int i = 0; i < 6; i++)
        {
            text.append(i == 0 ? "" : ":").append(String.format("%02x", mac >> 8 * i & 0xff));
        }
        return text.toString();
    }

    private void addFilters(final List<NamedHook> hooks)
    {
        for (final HookLoader loader : loaders)
        {
            hooks.add(loader.newHook());
        }
    }
}
