package io.ringtap.xdp.bpf;

import java.util.Random;

/** Spoils programs a little, so that verifiers on both sides have something to find. */
final class ProgramMutator
{
    private static final int[] NUMBERS = {0, 1, -1, 2, 8, 13, 14, 16, 32, 64, 255, 256, 512, 4096, 65535,
        Integer.MIN_VALUE, Integer.MAX_VALUE};

    private final Random random;

    ProgramMutator(final long seed)
    {
        random = new Random(seed);
    }

    long[] mutate(final long[] code)
    {
        final long[] changed = code.clone();
        for (int i = 1 + random.nextInt(3); i > 0; i--)
        {
            final int at = random.nextInt(changed.length);
            // Wide instructions are two slots, and the maps in them are the whole program's.
            if (!Instruction.isWide(changed[at]) && (0 == at || !Instruction.isWide(changed[at - 1])))
            {
                changed[at] = mutate(changed[at]);
            }
        }
        return changed;
    }

    private long mutate(final long old)
    {
        final int opcode = Instruction.opcode(old);
        final int destination = Instruction.destination(old);
        final int source = Instruction.source(old);
        final int offset = Instruction.offset(old);
        final int immediate = Instruction.immediate(old);
        return switch (random.nextInt(7))
        {
            case 0 -> Instruction.of(opcode, random.nextInt(11), source, offset, immediate);
            case 1 -> Instruction.of(opcode, destination, random.nextInt(11), offset, immediate);
            case 2 -> Instruction.of(opcode, destination, source, offset + random.nextInt(17) - 8, immediate);
            case 3 -> Instruction.of(opcode, destination, source, offset, NUMBERS[random.nextInt(NUMBERS.length)]);
            case 4 -> Instruction.of(opcode, destination, source, offset, immediate ^ 1 << random.nextInt(32));
            case 5 -> Instruction.of(opcode ^ 1 << random.nextInt(8), destination, source, offset, immediate);
            default -> old ^ 1L << random.nextInt(64);
        };
    }
}
