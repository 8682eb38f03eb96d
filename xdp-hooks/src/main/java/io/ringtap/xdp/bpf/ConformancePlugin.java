package io.ringtap.xdp.bpf;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Map;

/**
 * Our side of the runner of the public bpf_conformance suite: the program comes on standard input as bytes in hex, its
 * memory as an argument; r0 goes to standard output in hex. Compiled, unless {@code --interpret} is given.
 * <pre>
 * java -cp ... io.ringtap.xdp.bpf.ConformancePlugin ["aa bb ..."] [--interpret]
 * </pre>
 */
public final class ConformancePlugin
{
    /** The suite's runner has a helper 5; nothing is seen of what it does. */
    private static final HelperSet HELPERS = new HelperSet(List.of(
        Helper.of(5, "unwind", (context, r1, r2, r3, r4, r5) -> 0, Helper.Result.NUMBER)));

    private ConformancePlugin()
    {
    }

    /** Ends with 0 and r0 on standard output, or with 1 and a reason on standard error. */
    public static void main(final String[] args) throws IOException
    {
        final BufferedReader input = new BufferedReader(new InputStreamReader(System.in, StandardCharsets.US_ASCII));
        final String program = input.readLine();
        try
        {
            System.out.println(Long.toHexString(run(null == program ? "" : program, args)));
        }
        catch (final VerifierException | CompileException | IllegalArgumentException | BpfAbort failure)
        {
            System.err.println(failure.getMessage());
            System.exit(1);
        }
    }

    static long run(final String program, final String... args)
    {
        byte[] memory = {};
        boolean isInterpreted = false;
        for (final String arg : args)
        {
            if ("--interpret".equals(arg))
            {
                isInterpreted = true;
            }
            else if (arg.startsWith("--"))
            {
                throw new IllegalArgumentException("option " + arg + " is not known");
            }
            else
            {
                memory = bytes(arg);
            }
        }
        final AddressSpace space = new AddressSpace();
        final long handle = space.add(new MemoryMap("memory", memory));
        final ProgramText text = new ProgramText(
            "stdin", code(bytes(program)), List.of(), space, Map.of(), LineTable.NONE, "");
        final BpfProgram verified = Verifier.verify(text, HELPERS);
        final ProgramCode code = isInterpreted ? new Interpreter(verified) : Compiler.compile(verified);
        final BpfContext context = new BpfContext(code);
        context.begin(code);
        return code.run(context, 0, 0 == memory.length ? 0 : space.address(handle), memory.length, 0, 0, 0,
            AddressSpace.FIRST_FRAME);
    }

    private static long[] code(final byte[] bytes)
    {
        if (bytes.length % Instruction.LENGTH != 0)
        {
            throw new IllegalArgumentException(bytes.length + " bytes are no whole number of instructions");
        }
        final long[] code = new long[bytes.length / Instruction.LENGTH];
        for (int i = 0; i < bytes.length; i++)
        {
            code[i / Instruction.LENGTH] |= (bytes[i] & 0xffL) << 8 * (i % Instruction.LENGTH);
        }
        return code;
    }

    /** Bytes in hex with any white space between them: the runner writes two spaces. */
    private static byte[] bytes(final String hex)
    {
        final String bare = hex.trim();
        if (bare.isEmpty())
        {
            return new byte[0];
        }
        final String[] words = bare.split("\\s+");
        final byte[] bytes = new byte[words.length];
        for (int i = 0; i < words.length; i++)
        {
            bytes[i] = (byte)Integer.parseInt(words[i], 16);
        }
        return bytes;
    }
}
