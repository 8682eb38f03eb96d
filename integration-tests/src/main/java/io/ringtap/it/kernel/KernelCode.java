package io.ringtap.it.kernel;

import io.ringtap.xdp.bpf.Instruction;

import java.util.List;

/** Turns the maps that our linked code names by index into the kernel's descriptors; nothing else differs. */
public final class KernelCode
{
    private static final int MAP = 1;
    private static final int MAP_VALUE = 2;

    private KernelCode()
    {
    }

    /** @param maps by the index that the code has for them. */
    public static long[] linked(final long[] code, final List<KernelMap> maps)
    {
        final long[] linked = code.clone();
        for (int i = 0; i < linked.length; i++)
        {
            final long instruction = linked[i];
            if (Instruction.isWide(instruction))
            {
                final int source = Instruction.source(instruction);
                if (MAP == source || MAP_VALUE == source)
                {
                    linked[i] = Instruction.withImmediate(
                        instruction, maps.get(Instruction.immediate(instruction)).fd());
                }
                i++;
            }
        }
        return linked;
    }
}
