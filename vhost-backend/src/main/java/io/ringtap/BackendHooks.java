package io.ringtap;

import io.ringtap.vhost.ops.AttachedProgram;
import io.ringtap.vhost.ops.HookBoard;
import io.ringtap.vhost.ops.KernelOracle;
import io.ringtap.vhost.ops.ProgramFile;
import io.ringtap.xdp.FrameView;
import io.ringtap.xdp.HookLoader;
import io.ringtap.xdp.NamedHook;
import io.ringtap.xdp.SourceMacFilter;
import io.ringtap.xdp.bpf.elf.ObjectException;
import io.ringtap.xdp.bpf.map.MapException;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

import java.nio.file.InvalidPathException;
import java.util.ArrayList;
import java.util.List;

/** The hooks that a configuration asks for: one instance of each filter a queue and direction, programs behind them. */
final class BackendHooks
{
    private static final Logger LOG = LoggerFactory.getLogger(BackendHooks.class);

    private final List<HookLoader> loaders = new ArrayList<>();
    private final BackendConfig config;

    /** @throws io.ringtap.xdp.HookLoadException when a filter cannot be made. */
    BackendHooks(final BackendConfig config)
    {
        this.config = config;
        for (final String filter : config.filters())
        {
            loaders.add(HookLoader.of(filter));
        }
    }

    /**
     * Everything in its order, ready to judge.
     *
     * @param port number of the NIC's port.
     * @throws ConfigException when a program cannot be had.
     */
    HookBoard board(final int port)
    {
        final HookBoard board =
            new HookBoard(config.queues(), port, (queue) -> fromGuest(), (queue) -> filters());
        attach(board, "--xdp-guest", FrameView.FROM_GUEST, config.xdpGuest());
        attach(board, "--xdp-host", FrameView.TO_GUEST, config.xdpHost());
        return board;
    }

    private void attach(
        final HookBoard board, final String option, final int direction, final List<String> programs)
    {
        for (final String program : programs)
        {
            try
            {
                for (final AttachedProgram attached : board.attach(ProgramFile.of(program), List.of(direction),
                    Integer.MAX_VALUE, 0, LOG::warn))
                {
                    tell(attached);
                }
            }
            catch (final ObjectException | MapException | InvalidPathException ex)
            {
                throw new ConfigException(option + "=" + program, ex.getMessage(), "ringtap xdp check tells more");
            }
        }
    }

    private void tell(final AttachedProgram attached)
    {
        LOG.info("program {} is {}, id {}", attached.name(), attached.code().form(), attached.id());
        if (config.xdpOracle())
        {
            LOG.info("{}", KernelOracle.ask(attached.code().program()));
        }
    }

    /** Anti-spoof first, when a MAC is set, then the filters in the order given. */
    private List<NamedHook> fromGuest()
    {
        final List<NamedHook> hooks = new ArrayList<>();
        if (config.mac() != BackendConfig.NONE)
        {
            hooks.add(new NamedHook("source-mac", new SourceMacFilter(text(config.mac()))));
        }
        hooks.addAll(filters());
        return hooks;
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

    private List<NamedHook> filters()
    {
        final List<NamedHook> hooks = new ArrayList<>();
        for (final HookLoader loader : loaders)
        {
            hooks.add(loader.newHook());
        }
        return hooks;
    }
}
