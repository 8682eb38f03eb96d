package io.ringtap.xdp.bpf;

/**
 * What went wrong last in one context, as plain numbers: noting it allocates nothing, since a guest may cause it with
 * every frame. Words are made when somebody asks, on any thread; who asks while another fault is noted may get a
 * mixture, never an error.
 */
final class FaultLog
{
    private volatile long count;
    private FaultKind kind;
    private BpfProgram program;
    private int instruction;
    private String text;
    private long address;
    private long length;
    private long windowStart;
    private long dataStart;
    private long windowEnd;

    void note(
        final BpfContext context,
        final FaultKind faultKind,
        final String words,
        final long faultAddress,
        final long faultLength,
        final int at)
    {
        kind = faultKind;
        program = context.running.program();
        instruction = at;
        text = words;
        address = FaultKind.ARGUMENT == faultKind ? faultAddress : faultAddress & 0xffff_ffffL;
        length = faultLength;
        windowStart = context.windowStart;
        dataStart = context.data;
        windowEnd = context.windowStart + context.windowLength;
        count++;
    }

    long count()
    {
        return count;
    }

    /** The last fault in words; null when there was none. */
    BpfFault last()
    {
        if (0 == count)
        {
            return null;
        }
        final BpfProgram of = program;
        final int at = Math.min(instruction, of.length() - 1);
        final LineTable.Line line = of.lines().at(at);
        return new BpfFault(kind, of.name(), at, Disassembler.text(of.code(), at), null == line ? "" : line.toString(),
            detail());
    }

    private String detail()
    {
        return switch (kind)
        {
            case READ, WRITE, ATOMIC -> length + (1 == length ? " byte at " : " bytes at ") + place();
            case ARGUMENT -> "0x" + Long.toHexString(address) + ": " + text;
            default -> text;
        };
    }

    /** The address as people see it, and the bounds it is out of. */
    private String place()
    {
        if (address >= 0 && address < AddressSpace.CONTEXT)
        {
            return address + ", which is near a null pointer";
        }
        if (address >= AddressSpace.CONTEXT && address < AddressSpace.LOCAL)
        {
            return "context + " + (address - AddressSpace.CONTEXT);
        }
        if (address >= AddressSpace.LOCAL && address < AddressSpace.PACKET)
        {
            return "stack + " + (address - AddressSpace.LOCAL) + ", of " + AddressSpace.LOCAL_LENGTH;
        }
        if (address >= AddressSpace.PACKET && address < AddressSpace.MAPS)
        {
            return "frame + " + (address - dataStart) + ", where " + (windowStart - dataStart) + " to " +
                (windowEnd - dataStart) + " may be reached";
        }
        final String number = "0x" + Long.toHexString(address);
        return address >= AddressSpace.MAPS && address < AddressSpace.END ? number + " among map values" : number;
    }
}
