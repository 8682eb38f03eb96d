package io.ringtap.xdp.bpf;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * Turns the assembly of the conformance suite into instructions, one line each: {@code ldxh %r3, [%r1+12]}. Labels end
 * in a colon, {@code +3} counts instructions, {@code exit} is the last exit, {@code #} begins a comment.
 */
public final class Assembler
{
    private static final List<String> ARITHMETIC = List.of(
        "add", "sub", "mul", "div", "or", "and", "lsh", "rsh", "neg", "mod", "xor", "mov", "arsh");
    private static final List<String> JUMPS = List.of(
        "ja", "jeq", "jgt", "jge", "jset", "jne", "jsgt", "jsge", "call", "exit", "jlt", "jle", "jslt", "jsle");
    private static final Map<String, Integer> SIZES = Map.of(
        "b", Opcode.B, "h", Opcode.H, "w", Opcode.W, "dw", Opcode.DW);

    private final List<Long> code = new ArrayList<>();
    private final Map<String, Integer> labels = new HashMap<>();
    private final Map<Integer, String> open = new HashMap<>();

    private Assembler()
    {
    }

    /** Assembles lines, or one text of several lines. */
    public static long[] assemble(final String... lines)
    {
        final Assembler assembler = new Assembler();
        for (final String line : String.join("\n", lines).split("\n"))
        {
            final String bare = line.replaceAll("#.*", "").trim();
            if (bare.endsWith(":"))
            {
                assembler.labels.put(bare.substring(0, bare.length() - 1), assembler.code.size());
            }
            else if (!bare.isEmpty())
            {
                assembler.add(bare);
            }
        }
        return assembler.finish();
    }

    private long[] finish()
    {
        labels.putIfAbsent("exit", code.lastIndexOf((long)Opcode.EXIT_INSTRUCTION));
        open.forEach((at, label) ->
        {
            final int distance = label.startsWith("+") || label.startsWith("-") ?
                Integer.parseInt(label) :
                labels.get(label) - at - 1;
            final long old = code.get(at);
            final boolean isLong = Opcode.GOTOL == Instruction.opcode(old) || ControlFlow.isLocalCall(old);
            code.set(at, isLong ? Instruction.withImmediate(old, distance) : old | (distance & 0xffffL) << 16);
        });
        return code.stream().mapToLong(Long::longValue).toArray();
    }

    private void add(final String line)
    {
        final String[] words = line.split("[\\s,]+");
        final String name = words[0];
        if (name.startsWith("ld") || name.startsWith("st"))
        {
            memory(name, words);
        }
        else if ("lock".equals(name))
        {
            atomic(words);
        }
        else if (name.matches("(le|be|swap|bswap)(16|32|64)"))
        {
            final int bits = Integer.parseInt(name.replaceAll("[a-z]", ""));
            final int opcode = name.startsWith("be") ? Opcode.ALU | Opcode.END | Opcode.SOURCE_REGISTER :
                name.startsWith("le") ? Opcode.ALU | Opcode.END : Opcode.ALU64 | Opcode.END;
            emit(opcode, register(words[1]), 0, 0, bits);
        }
        else if (JUMPS.contains(name.replace("32", "")))
        {
            jump(name, words);
        }
        else
        {
            arithmetic(name, words);
        }
    }

    private void arithmetic(final String name, final String[] words)
    {
        if (name.startsWith("movsx"))
        {
            final int to = name.endsWith("32") ? Opcode.ALU : Opcode.ALU64;
            final int bits = Integer.parseInt(name.substring(5, name.length() - 2));
            emit(to | Opcode.MOV | Opcode.SOURCE_REGISTER, register(words[1]), register(words[2]), bits, 0);
            return;
        }
        final boolean isSigned = "sdiv".equals(name.replace("32", "")) || "smod".equals(name.replace("32", ""));
        final String bare = (isSigned ? name.substring(1) : name).replace("32", "");
        if (!ARITHMETIC.contains(bare))
        {
            throw new IllegalArgumentException("no instruction " + Arrays.toString(words));
        }
        final int opcode = (name.endsWith("32") ? Opcode.ALU : Opcode.ALU64) | ARITHMETIC.indexOf(bare) << 4;
        operands(opcode, words, isSigned ? 1 : 0);
    }

    private void jump(final String name, final String[] words)
    {
        final int kind = name.endsWith("32") ? Opcode.JMP32 : Opcode.JMP;
        final int opcode = kind | JUMPS.indexOf(name.replace("32", "")) << 4;
        switch (name)
        {
            case "exit" -> emit(opcode, 0, 0, 0, 0);
            case "call" ->
            {
                if ("local".equals(words[1]))
                {
                    open.put(code.size(), words[2]);
                    emit(opcode, 0, Opcode.CALL_LOCAL, 0, 0);
                }
                else if (words[1].startsWith("%"))
                {
                    emit(opcode | Opcode.SOURCE_REGISTER, register(words[1]), 0, 0, 0);
                }
                else
                {
                    emit(opcode, 0, 0, 0, Integer.decode(words[1]));
                }
            }
            case "ja", "ja32" ->
            {
                open.put(code.size(), words[1]);
                emit(opcode, 0, 0, 0, 0);
            }
            default ->
            {
                open.put(code.size(), words[3]);
                operands(opcode, words, 0);
            }
        }
    }

    private void operands(final int opcode, final String[] words, final int offset)
    {
        if (words.length < 3)
        {
            emit(opcode, register(words[1]), 0, offset, 0);
        }
        else if (words[2].startsWith("%"))
        {
            emit(opcode | Opcode.SOURCE_REGISTER, register(words[1]), register(words[2]), offset, 0);
        }
        else
        {
            emit(opcode, register(words[1]), 0, offset, (int)number(words[2]));
        }
    }

    private void memory(final String name, final String[] words)
    {
        if ("lddw".equals(name))
        {
            final boolean isMap = words[2].startsWith("map");
            final boolean isValue = words[2].startsWith("mapvalue");
            final long value = isMap ? Long.decode(words[2].replaceAll("[a-z]", "")) : number(words[2]);
            emit(Opcode.LDDW, register(words[1]), isValue ? 2 : isMap ? 1 : 0, 0, (int)value);
            code.add(Instruction.of(0, 0, 0, 0, isMap ? 0 : (int)(value >>> 32)));
        }
        else if (name.startsWith("ldxs"))
        {
            load(Opcode.LDX | Opcode.MEMSX | SIZES.get(name.substring(4)), words);
        }
        else if (name.startsWith("ldx"))
        {
            load(Opcode.LDX | Opcode.MEM | SIZES.get(name.substring(3)), words);
        }
        else if (name.startsWith("stx"))
        {
            emit(Opcode.STX | Opcode.MEM | SIZES.get(name.substring(3)), register(words[1]), register(words[2]),
                offset(words[1]), 0);
        }
        else
        {
            emit(Opcode.ST | Opcode.MEM | SIZES.get(name.substring(2)), register(words[1]), 0, offset(words[1]),
                (int)number(words[2]));
        }
    }

    private void load(final int opcode, final String[] words)
    {
        emit(opcode, register(words[1]), register(words[2]), offset(words[2]), 0);
    }

    private void atomic(final String[] words)
    {
        final boolean fetches = "fetch".equals(words[1]);
        final String name = words[fetches ? 2 : 1];
        final String address = words[fetches ? 3 : 2];
        final String source = words[fetches ? 4 : 3];
        final String bare = name.replace("32", "");
        final int operation = switch (bare)
        {
            case "xchg" -> Opcode.XCHG;
            case "cmpxchg" -> Opcode.CMPXCHG;
            default -> ARITHMETIC.indexOf(bare) << 4 | (fetches ? Opcode.FETCH : 0);
        };
        final int size = name.endsWith("32") ? Opcode.W : Opcode.DW;
        emit(Opcode.STX | Opcode.ATOMIC | size, register(address), register(source), offset(address), operation);
    }

    /** The register of an operand, also inside brackets. */
    private static int register(final String operand)
    {
        return Integer.parseInt(operand.replaceAll("^\\[?%?r(\\d+).*", "$1"));
    }

    private static int offset(final String operand)
    {
        final String offset = operand.replaceAll("^\\[%?r\\d+", "").replace("]", "");
        return offset.isEmpty() ? 0 : Integer.decode(offset.replace("+", ""));
    }

    /** Numbers as strtoull reads them: 0xffffffffffffffff and -1 are the same. */
    private static long number(final String text)
    {
        return text.startsWith("-") ? -number(text.substring(1)) :
            text.startsWith("0x") ? Long.parseUnsignedLong(text.substring(2), 16) : Long.parseUnsignedLong(text);
    }

    private void emit(
        final int opcode, final int destination, final int source, final int offset, final int immediate)
    {
        code.add(Instruction.of(opcode, destination, source, offset, immediate));
    }
}
