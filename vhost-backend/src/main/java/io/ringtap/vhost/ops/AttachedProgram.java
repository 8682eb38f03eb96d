package io.ringtap.vhost.ops;

import io.ringtap.xdp.NamedHook;
import io.ringtap.xdp.bpf.BpfContext;
import io.ringtap.xdp.bpf.BpfHook;
import io.ringtap.xdp.bpf.ProgramCode;
import io.ringtap.xdp.bpf.elf.BpfObject;
import io.ringtap.xdp.bpf.elf.LoadedObject;

import java.util.ArrayList;
import java.util.List;

/** A program on the way of one direction of a NIC: a hook for each queue, with maps in common. */
public final class AttachedProgram
{
    /** Section names of programs that take frames in parts (BPF_F_XDP_HAS_FRAGS). */
    private static final String FRAGMENTS = "xdp.frags";

    private final int id;
    private final int direction;
    private final String identity;
    private final LoadedObject object;
    private final ProgramCode code;
    private final List<BpfHook> hooks = new ArrayList<>();

    /**
     * @param identity of the file it came from.
     * @param port     number of the NIC's port: where frames come in, as far as the program knows.
     */
    AttachedProgram(
        final int id,
        final int direction,
        final String identity,
        final LoadedObject object,
        final String program,
        final int queues,
        final int port)
    {
        this.id = id;
        this.direction = direction;
        this.identity = identity;
        this.object = object;
        code = object.program(program);
        for (int i = 0; i < queues; i++)
        {
            final BpfContext context = new BpfContext(code);
            context.interfaces(port, 0);
            hooks.add(new BpfHook(code, context, !takesFragments(object.object(), code.program().name())));
        }
    }

    /** Number that commands name it by. */
    public int id()
    {
        return id;
    }

    public int direction()
    {
        return direction;
    }

    /** As counters show it: {@code filter.o:drop}. */
    public String name()
    {
        return object.object().name() + ':' + code.program().name();
    }

    public LoadedObject object()
    {
        return object;
    }

    public ProgramCode code()
    {
        return code;
    }

    /** One a queue. */
    public List<BpfHook> hooks()
    {
        return hooks;
    }

    String identity()
    {
        return identity;
    }

    NamedHook hook(final int queue)
    {
        return new NamedHook(name(), hooks.get(queue));
    }

    private static boolean takesFragments(final BpfObject object, final String program)
    {
        for (final BpfObject.ProgramInfo info : object.programs())
        {
            if (info.name().equals(program))
            {
                return info.section().startsWith(FRAGMENTS);
            }
        }
        return false;
    }
}
