package io.ringtap.xdp.bpf;

import io.ringtap.xdp.FrameView;
import io.ringtap.xdp.XdpVerdict;
import org.agrona.concurrent.UnsafeBuffer;

/**
 * What one run of a program can reach, kept by one queue and direction from frame to frame: the frame in its slot, the
 * stack, the maps, and what is left of the program's fuel.
 * <p>
 * Helpers turn a program's numbers into memory with {@link #readable} and {@link #writable} and into maps with
 * {@link #map}: whatever is not the program's own aborts it there. Owned by one thread.
 */
public final class BpfContext extends FrameWindow
{
    /** Instructions that a run may take, as the kernel's limit on what its verifier walks. */
    public static final int DEFAULT_FUEL = 1_000_000;
    /** Bytes of scratch memory that a function has to show things to callbacks, see {@link #scratchOfCaller}. */
    public static final int SCRATCH_OF_CALLER = AddressSpace.SCRATCH_LENGTH / AddressSpace.MAX_DEPTH;
    /** Most that a context may be given: {@link Width} counts on it. */
    public static final int MAX_FUEL = 1 << 24;
    /** Tail calls in one run, as in the kernel. */
    public static final int MAX_TAIL_CALLS = 33;
    /** Stack and scratch. */
    final byte[] local = new byte[AddressSpace.LOCAL_LENGTH];
    final UnsafeBuffer localBuffer = new UnsafeBuffer(local);
    /** The arrays of the address space that the running program sees. */
    UnsafeBuffer[] readable;
    UnsafeBuffer[] writable;
    int[] bases;
    BpfMap[] maps;
    UnsafeBuffer[] values;
    private AddressSpace space;
    /** Where each run begins. */
    private final AddressSpace home;
    /** For each stack frame: registers of the function that has it, while they are not in the processor's. */
    private final long[][] registers = new long[AddressSpace.MAX_DEPTH][11];

    /** Instructions left. */
    int fuel;
    int tailCalls;
    /** Set by a tail call that happened: the caller returns its result. */
    boolean tailCalled;
    /** What runs now, for callbacks and faults. */
    ProgramCode running;
    /** The instruction that calls a helper, for faults in it. */
    int instruction;
    /** r10 of the function that calls a helper, for callbacks. */
    long framePointer;

    private final int budget;
    private boolean practises;
    private int index;
    private final FaultLog faults = new FaultLog();
    private final Holdings holdings = new Holdings();

    /** A context with {@link #DEFAULT_FUEL} in the space that the program was linked with. */
    public BpfContext(final ProgramCode code)
    {
        this(code.program().space(), DEFAULT_FUEL);
    }

    /**
     * @param space  what the program sees: the space it was linked with, or one of the same picture.
     * @param budget instructions that a run may take.
     */
    public BpfContext(final AddressSpace space, final int budget)
    {
        if (budget < 1 || budget > MAX_FUEL)
        {
            throw new IllegalArgumentException("fuel of " + budget + " instructions, must be 1 to " + MAX_FUEL);
        }
        home = space;
        this.budget = budget;
        enter(space);
    }

    /** Gets ready to run a program on one frame. */
    void open(final ProgramCode code, final FrameView view)
    {
        show(view);
        open(code);
    }

    /** Gets ready to run a program on some of these frames: all that need not be done for each. */
    void open(final ProgramCode code, final FrameView[] views)
    {
        show(views);
        open(code);
    }

    private void open(final ProgramCode code)
    {
        if (running != code)
        {
            running = code;
        }
        enter(home);
        rewind();
        refuel();
    }

    /** Undoes what helpers may have done in the run before; a program without helpers needs it only once. */
    void rewind()
    {
        rewindFrame();
        tailCalls = 0;
    }

    /** Fills up the fuel; a program without loops and calls burns none. */
    void refuel()
    {
        fuel = budget;
    }

    /** Gets ready to run without a frame. */
    void begin(final ProgramCode code)
    {
        close();
        open(code);
    }

    /** Comes back from wherever an aborted run ended, which may be in another program. */
    int abandon(final ProgramCode code, final Throwable why)
    {
        if (BpfAbort.INSTANCE != why)
        {
            fault(FaultKind.INTERNAL, why.toString(), 0, 0);
        }
        settle();
        running = code;
        enter(home);
        return XdpVerdict.ABORTED;
    }

    /** The run is over: what the program still holds is given back. */
    void settle()
    {
        if (holdings.count() > 0)
        {
            holdings.release();
        }
    }

    /** Makes the maps of a program reachable, and no others. */
    void enter(final AddressSpace next)
    {
        if (space != next)
        {
            space = next;
            readable = next.readable;
            writable = next.writable;
            bases = next.bases;
            maps = next.maps;
            values = next.values;
        }
    }

    /** Whether nothing that the program does may show: helpers that reach further than maps and frame do nothing. */
    public boolean practises()
    {
        return practises;
    }

    void practises(final boolean isPractice)
    {
        practises = isPractice;
    }

    AddressSpace space()
    {
        return space;
    }

    /** Registers of the function whose stack frame ends there. */
    long[] registers(final long frameEnd)
    {
        return registers[(int)(frameEnd - AddressSpace.FIRST_FRAME) / AddressSpace.FRAME_LENGTH];
    }

    /** The map of a handle. Aborts the program when the number is none. */
    public BpfMap map(final long handle)
    {
        final BpfMap map = space.map(handle);
        if (null == map)
        {
            throw fault(FaultKind.ARGUMENT, "that is no map", handle, 0);
        }
        return map;
    }

    /** Address of a value as the program will know it; offset is what {@link BpfMap#lookup} gave, and not MISSING. */
    public long address(final long handle, final int offset)
    {
        return space.address(handle) + offset;
    }

    /** The buffer in which {@code length} bytes at an address may be read, from {@link #index()} on; or an abort. */
    public UnsafeBuffer readable(final long address, final long length)
    {
        final UnsafeBuffer buffer = find(address, length, readable);
        if (null == buffer)
        {
            throw fault(FaultKind.READ, "", address, length);
        }
        return buffer;
    }

    /** The buffer in which {@code length} bytes at an address may be written, from {@link #index()} on; or an abort. */
    public UnsafeBuffer writable(final long address, final long length)
    {
        final UnsafeBuffer buffer = find(address, length, writable);
        if (null == buffer)
        {
            throw fault(FaultKind.WRITE, "", address, length);
        }
        wroteFrame |= buffer == packet;
        return buffer;
    }

    /** Whether {@link #readable} would find memory there. */
    public boolean isReadable(final long address, final long length)
    {
        return null != find(address, length, readable);
    }

    /** Whether an address is one among values of maps, if any. */
    public boolean isValue(final long address)
    {
        return (address & 0xffff_ffffL) >= AddressSpace.MAPS;
    }

    /**
     * Notes that the program holds something until {@link #letGo} or the end of its run.
     *
     * @return false, and nothing is noted, when it holds too much.
     */
    public boolean hold(final Holding owner, final UnsafeBuffer memory, final int at)
    {
        return holdings.add(owner, memory, at);
    }

    /** Whose the thing is that the program holds there, and from now on does not; null when there is none. */
    public Holding letGo(final UnsafeBuffer memory, final int at)
    {
        return holdings.remove(memory, at);
    }

    /** Whether the program holds something of an owner. */
    public boolean holds(final Holding owner)
    {
        return holdings.has(owner);
    }

    /** Where the memory found last begins in its buffer. */
    public int index()
    {
        return index;
    }

    /**
     * Calls a function of the program, as helpers with callbacks do.
     *
     * @param function what the program gave for it.
     */
    public long call(
        final long function, final long r1, final long r2, final long r3, final long r4, final long r5)
    {
        final long number = function - AddressSpace.FUNCTIONS;
        if (number < 0 || number >= running.program().functions().size())
        {
            throw fault(FaultKind.ARGUMENT, "that is no function", function, 0);
        }
        final int caller = instruction;
        final long callerFrame = framePointer;
        final int length = running.program().functions().get((int)number).length();
        final long frameEnd = enterFunction(callerFrame, length, caller);
        final long result = running.run(this, (int)number, r1, r2, r3, r4, r5, frameEnd);
        instruction = caller;
        framePointer = callerFrame;
        return result;
    }

    /** Takes the fuel of a function and gives it the stack frame behind the caller's; or an abort. */
    long enterFunction(final long callerFrameEnd, final int length, final int at)
    {
        instruction = at;
        charge(length);
        final long next = callerFrameEnd + AddressSpace.FRAME_LENGTH;
        if (next > AddressSpace.SCRATCH)
        {
            throw fault(FaultKind.DEPTH, "", 0, 0);
        }
        return next;
    }

    /**
     * Takes fuel for what a helper is going to do, so that no program makes a queue stand still by a few calls.
     *
     * @param bytes that it reads or writes; 8 count as an instruction.
     */
    public void spend(final long bytes)
    {
        charge((int)Math.min(bytes >> 3, MAX_FUEL));
    }

    /** Takes the fuel of that many instructions; or an abort. */
    void charge(final int instructions)
    {
        fuel -= instructions;
        if (fuel < 0)
        {
            throw fault(FaultKind.FUEL, "", 0, 0);
        }
    }

    /**
     * Helpers' scratch memory, which programs can read and write: {@link #SCRATCH_OF_CALLER} bytes for the function
     * that calls, so that its callbacks may call helpers as well.
     */
    public long scratchOfCaller()
    {
        final long depth = (framePointer - AddressSpace.FIRST_FRAME) / AddressSpace.FRAME_LENGTH;
        return AddressSpace.SCRATCH + depth * SCRATCH_OF_CALLER;
    }

    /** Aborts the program because of what it gave to a helper: {@code throw context.refuse(...)}. */
    public RuntimeException refuse(final String why, final long argument)
    {
        return fault(FaultKind.ARGUMENT, why, argument, 0);
    }

    /** Notes a fault of the instruction that calls a helper. */
    BpfAbort fault(final FaultKind kind, final String text, final long address, final long length)
    {
        return fault(kind, text, address, length, instruction);
    }

    /** Notes a fault; the caller throws what this returns. */
    BpfAbort fault(
        final FaultKind kind, final String text, final long address, final long length, final int at)
    {
        faults.note(this, kind, text, address, length, at);
        return BpfAbort.INSTANCE;
    }

    /** Runs that ended in a fault. */
    public long faults()
    {
        return faults.count();
    }

    /** The last fault in words; null when there was none. */
    public BpfFault lastFault()
    {
        return faults.last();
    }

    /** The upper half of a number is nothing to an address: memory has 32 bits. */
    private UnsafeBuffer find(final long number, final long length, final UnsafeBuffer[] segments)
    {
        final long address = number & 0xffff_ffffL;
        if (length < 0)
        {
            return null;
        }
        if (address >= windowStart && length <= windowStart + (long)windowLength - address)
        {
            index = (int)address - windowStart + windowIndex;
            return packet;
        }
        if (address >= AddressSpace.LOCAL && length <= AddressSpace.LOCAL + AddressSpace.LOCAL_LENGTH - address)
        {
            index = (int)(address - AddressSpace.LOCAL);
            return localBuffer;
        }
        if (address >= AddressSpace.MAPS)
        {
            final int segment = (int)(address >>> AddressSpace.SEGMENT_SHIFT) & AddressSpace.SEGMENT_MASK;
            final UnsafeBuffer buffer = segments[segment];
            final int at = (int)address - bases[segment];
            if (null != buffer && length <= buffer.capacity() - at)
            {
                index = at;
                return buffer;
            }
        }
        return null;
    }
}
