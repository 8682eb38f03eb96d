package io.ringtap.xdp.bpf;

import io.ringtap.xdp.FrameView;
import io.ringtap.xdp.bpf.helper.StandardHelpers;
import io.ringtap.xdp.bpf.map.MapFactory;
import io.ringtap.xdp.bpf.map.MapSpec;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/** Programs with real maps and helpers, run on one frame. */
final class BpfRig
{
    static final int QUEUES = 3;

    private final AddressSpace space = new AddressSpace();
    private final MapFactory factory = new MapFactory(QUEUES);
    private final List<BpfMap> maps = new ArrayList<>();
    private final Form form;
    private FrameView frame = Programs.frame(Programs.udp(9999));
    private BpfContext context;

    BpfRig(final Form form)
    {
        this.form = form;
    }

    /** Adds a map, which programs call map0, map1 and so on. */
    BpfMap map(final MapSpec spec)
    {
        final BpfMap map = factory.create(spec);
        space.add(map);
        maps.add(map);
        return map;
    }

    long handle(final BpfMap map)
    {
        return space.handle(map);
    }

    FrameView frame()
    {
        return frame;
    }

    /** Takes another frame. */
    void frame(final byte[] bytes)
    {
        frame = Programs.frame(bytes);
    }

    /** Lets another queue run. */
    void queue(final int queue)
    {
        frame.wrap(frame.buffer(), FrameView.FROM_GUEST, queue);
    }

    BpfContext context()
    {
        return context;
    }

    /** Instructions that store a string with its end at an offset from r10. */
    static String text(final int at, final String text)
    {
        final StringBuilder lines = new StringBuilder();
        for (int i = 0; i <= text.length(); i++)
        {
            final int character = i < text.length() ? text.charAt(i) : 0;
            lines.append("stb [%r10").append(at + i).append("], ").append(character).append('\n');
        }
        return lines.toString();
    }

    ProgramCode code(final String... lines)
    {
        final long[] code = Assembler.assemble(lines);
        for (int i = 0; i < code.length; i++)
        {
            // lddw %rN, 0xf000 + n: a function, n instructions behind.
            if (Instruction.isWide(code[i]) && Instruction.immediate(code[i]) >>> 12 == 0xf)
            {
                final int distance = Instruction.immediate(code[i]) & 0xfff;
                code[i] = Instruction.withSource(Instruction.withImmediate(code[i], distance), Opcode.LDDW_FUNCTION);
            }
            i += Instruction.isWide(code[i]) ? 1 : 0;
        }
        return form.of(Verifier.verify(
            new ProgramText("test", code, maps, space, Map.of(), LineTable.NONE, ""), StandardHelpers.all()));
    }

    int run(final String... lines)
    {
        return run(code(lines));
    }

    int run(final ProgramCode code)
    {
        context = new BpfContext(space, BpfContext.DEFAULT_FUEL);
        context.interfaces(7, 0);
        return new BpfHook(code, context).onFrame(frame);
    }

    /** The last fault, from the verb on. */
    String fault()
    {
        final BpfFault fault = context.lastFault();
        return null == fault ? "" : fault.kind() + " " + fault.detail();
    }
}
