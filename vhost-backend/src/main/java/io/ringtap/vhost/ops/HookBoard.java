package io.ringtap.vhost.ops;

import io.ringtap.vhost.dataplane.WorkerSetup;
import io.ringtap.xdp.FrameView;
import io.ringtap.xdp.HookChain;
import io.ringtap.xdp.NamedHook;
import io.ringtap.xdp.bpf.elf.LoadedObject;
import io.ringtap.xdp.bpf.helper.StandardHelpers;

import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;
import java.util.function.IntFunction;

/**
 * The hooks of a NIC: by direction the ones that it was started with, behind them programs that come and go. Programs
 * are compiled and practise on the calling thread; a worker meets them between two batches, and those that stay keep
 * their counters. Programs of the same file share its maps, in both directions and on all queues.
 */
public final class HookBoard
{
    private static final int DIRECTIONS = 2;

    private final int queues;
    private final int port;
    private final List<List<List<NamedHook>>> fixed = new ArrayList<>();
    private final List<List<HookChain>> chains = new ArrayList<>();
    private final List<AttachedProgram> programs = new ArrayList<>();
    private int nextId = 1;

    /**
     * @param port      number of the NIC's port.
     * @param fromGuest makes the first hooks of a queue for frames from the guest.
     * @param toGuest   the same for frames to the guest.
     */
    public HookBoard(
        final int queues,
        final int port,
        final IntFunction<List<NamedHook>> fromGuest,
        final IntFunction<List<NamedHook>> toGuest)
    {
        this.queues = queues;
        this.port = port;
        for (final IntFunction<List<NamedHook>> maker : List.of(fromGuest, toGuest))
        {
            final List<List<NamedHook>> hooks = new ArrayList<>();
            final List<HookChain> ofDirection = new ArrayList<>();
            for (int queue = 0; queue < queues; queue++)
            {
                hooks.add(maker.apply(queue));
                ofDirection.add(new HookChain(hooks.get(queue)));
            }
            fixed.add(hooks);
            chains.add(ofDirection);
        }
    }

    /** Queue pairs. */
    public int queues()
    {
        return queues;
    }

    /** What a worker asks about its frames. */
    public HookChain chain(final int direction, final int queue)
    {
        return chains.get(direction).get(queue);
    }

    /** In the order in which frames meet them. */
    public synchronized List<AttachedProgram> programs(final int direction)
    {
        return programs.stream().filter((program) -> direction == program.direction()).toList();
    }

    public synchronized List<AttachedProgram> programs()
    {
        return List.copyOf(programs);
    }

    /**
     * Puts a program on the way.
     *
     * @param position  how many programs of the direction frames meet before it; beyond the last, behind all.
     * @param replaced  id of the program whose place it takes; 0 for none.
     * @param directions {@link FrameView#FROM_GUEST}, {@link FrameView#TO_GUEST} or both.
     * @param warnings  takes lines about programs that are slower than they could be.
     * @return what was attached, one for each direction.
     */
    public synchronized List<AttachedProgram> attach(
        final ProgramFile file,
        final List<Integer> directions,
        final int position,
        final int replaced,
        final Consumer<String> warnings)
    {
        final AttachedProgram old = 0 == replaced ? null : program(replaced);
        final byte[] bytes = file.read();
        final String identity = file.identity(bytes);
        final LoadedObject object = object(file, bytes, identity, warnings);
        final List<AttachedProgram> attached = new ArrayList<>();
        for (final int direction : null == old ? directions : List.of(old.direction()))
        {
            attached.add(new AttachedProgram(
                nextId++, direction, identity, object, file.program(), queues, port));
        }
        for (final AttachedProgram program : attached)
        {
            if (null == old)
            {
                programs.add(place(program.direction(), position), program);
            }
            else
            {
                programs.set(programs.indexOf(old), program);
            }
        }
        publish();
        return attached;
    }

    /** Takes a program off the way. */
    public synchronized AttachedProgram detach(final int id)
    {
        final AttachedProgram program = program(id);
        programs.remove(program);
        publish();
        return program;
    }

    /** @throws CommandException when there is none of that number. */
    public synchronized AttachedProgram program(final int id)
    {
        for (final AttachedProgram program : programs)
        {
            if (id == program.id())
            {
                return program;
            }
        }
        throw new CommandException("id=" + id, "no program of that number is attached", "show lists those that are");
    }

    /** Maps are shared by what is attached of the same file. */
    private LoadedObject object(
        final ProgramFile file, final byte[] bytes, final String identity, final Consumer<String> warnings)
    {
        for (final AttachedProgram program : programs)
        {
            if (identity.equals(program.identity()))
            {
                return program.object();
            }
        }
        return file.parse(bytes).load(WorkerSetup.processors(queues), StandardHelpers.all(), warnings);
    }

    /** Where in the list of all a program comes that has so many of its direction before it. */
    private int place(final int direction, final int position)
    {
        int before = 0;
        for (int i = 0; i < programs.size(); i++)
        {
            if (direction == programs.get(i).direction() && before++ == position)
            {
                return i;
            }
        }
        return programs.size();
    }

    private void publish()
    {
        for (int direction = 0; direction < DIRECTIONS; direction++)
        {
            for (int queue = 0; queue < queues; queue++)
            {
                final List<NamedHook> hooks = new ArrayList<>(fixed.get(direction).get(queue));
                for (final AttachedProgram program : programs(direction))
                {
                    hooks.add(program.hook(queue));
                }
                chain(direction, queue).replace(hooks);
            }
        }
    }
}
