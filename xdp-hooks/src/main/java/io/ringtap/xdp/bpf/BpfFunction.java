package io.ringtap.xdp.bpf;

/**
 * One function of a program: a range of its code. The first begins at instruction 0 and is the program's entry.
 *
 * @param name  for messages.
 * @param first index of its first instruction.
 * @param end   index behind its last.
 */
public record BpfFunction(String name, int first, int end)
{
    /** Instruction slots. */
    public int length()
    {
        return end - first;
    }
}
