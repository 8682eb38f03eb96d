package io.ringtap.xdp.bpf;

/**
 * What aborted a program, for people.
 *
 * @param kind        what it did.
 * @param program     name of the program, which may be the target of a tail call.
 * @param instruction index of the instruction.
 * @param text        the instruction, disassembled.
 * @param line        source line, or empty.
 * @param detail      address and bounds, or what the helper says.
 */
public record BpfFault(FaultKind kind, String program, int instruction, String text, String line, String detail)
{
    @Override
    public String toString()
    {
        return "program " + program + ", instruction " + instruction + " `" + text + "`" +
            (line.isEmpty() ? "" : " (" + line + ")") + ": " + kind.verb() + (detail.isEmpty() ? "" : " " + detail);
    }
}
