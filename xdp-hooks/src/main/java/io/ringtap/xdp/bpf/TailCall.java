package io.ringtap.xdp.bpf;

/** bpf_tail_call: another program takes the place of the one that runs. */
final class TailCall
{
    /** No such program, or too many calls: the caller goes on. */
    static final long FAILED = -2;

    private TailCall()
    {
    }

    /**
     * Runs the program in a slot of the map. When {@link BpfContext#tailCalled} is set afterwards, the calling function
     * returns what this returned; otherwise it goes on.
     *
     * @param framePointer of the calling function, whose stack frame the other program takes over.
     */
    static long call(
        final BpfContext context, final long map, final long index, final long framePointer, final int at)
    {
        context.instruction = at;
        context.tailCalled = false;
        final ProgramCode target = context.map(map).program((int)index);
        if (null == target || context.tailCalls >= BpfContext.MAX_TAIL_CALLS)
        {
            return FAILED;
        }
        context.tailCalls++;
        final ProgramCode caller = context.running;
        final AddressSpace space = context.space();
        context.running = target;
        if (target.program().space() != caller.program().space())
        {
            context.enter(target.program().space());
        }
        context.charge(target.program().functions().get(0).length());
        final long result = target.run(context, 0, AddressSpace.CONTEXT, 0, 0, 0, 0, framePointer);
        context.running = caller;
        context.enter(space);
        context.tailCalled = true;
        return result;
    }
}
