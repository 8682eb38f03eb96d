package io.ringtap.xdp.bpf;

import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

import java.util.ArrayList;
import java.util.List;

import static org.junit.jupiter.api.Assertions.assertEquals;

/** Our own vectors: where RFC 9669 and Java part, and the edges of every operation. */
class ArithmeticTest
{
    private static final String MIN = "0x8000000000000000";
    private static final String ALL = "0xffffffffffffffff";

    /** An operation, r0 before, r1, r0 after; numbers in hex. */
    private static final String[][] VECTORS =
    {
        {"add %r0, %r1", ALL, "2", "1"},
        {"add32 %r0, %r1", ALL, "2", "1"},
        {"add32 %r0, -1", "0", "0", "0xffffffff"},
        {"add32 %r0, %r1", "0x1ffffffff", "0", "0xffffffff"},
        {"sub %r0, %r1", "0", "1", ALL},
        {"sub32 %r0, %r1", "0", "1", "0xffffffff"},
        {"sub %r0, -1", ALL, "0", "0"},
        {"mul %r0, %r1", "0x100000000", "0x100000000", "0"},
        {"mul32 %r0, %r1", "0x10000", "0x10000", "0"},
        {"mul32 %r0, -1", "1", "0", "0xffffffff"},
        {"div %r0, %r1", ALL, "2", "0x7fffffffffffffff"},
        {"div %r0, %r1", ALL, "0", "0"},
        {"div %r0, 0", "5", "0", "0"},
        {"div %r0, -1", ALL, "0", "1"},
        {"div %r0, -1", "5", "0", "0"},
        {"div %r0, 3", "0x7fffffffffffffff", "0", "0x2aaaaaaaaaaaaaaa"},
        {"div %r0, 3", ALL, "0", "0x5555555555555555"},
        {"div32 %r0, %r1", "0x1ffffffff", "0x500000002", "0x7fffffff"},
        {"div32 %r0, %r1", "7", "0x100000000", "0"},
        {"div32 %r0, -1", "0xffffffff", "0", "1"},
        {"sdiv %r0, %r1", MIN, ALL, MIN},
        {"sdiv %r0, %r1", "7", "0", "0"},
        {"sdiv %r0, -2", "7", "0", "0xfffffffffffffffd"},
        {"sdiv32 %r0, %r1", "0x80000000", "0xffffffff", "0x80000000"},
        {"sdiv32 %r0, -2", "7", "0", "0xfffffffd"},
        {"mod %r0, %r1", ALL, "0", ALL},
        {"mod %r0, %r1", ALL, "10", "5"},
        {"mod %r0, 0", "0x123456789", "0", "0x123456789"},
        {"mod %r0, -1", "5", "0", "5"},
        {"mod32 %r0, %r1", ALL, "0", "0xffffffff"},
        {"mod32 %r0, 0", "0x123456789", "0", "0x23456789"},
        {"mod32 %r0, 16", "0x123456789", "0", "9"},
        {"smod %r0, %r1", MIN, ALL, "0"},
        {"smod %r0, 3", "0xfffffffffffffff9", "0", ALL},
        {"smod %r0, %r1", MIN, "0", MIN},
        {"smod32 %r0, %r1", "0x80000000", "0xffffffff", "0"},
        {"smod32 %r0, -3", "0xfffffff9", "0", "0xffffffff"},
        {"smod32 %r0, %r1", "0x1fffffff9", "0", "0xfffffff9"},
        {"or %r0, -2", "1", "0", ALL},
        {"or32 %r0, -2", "0x100000001", "0", "0xffffffff"},
        {"and %r0, -2", ALL, "0", "0xfffffffffffffffe"},
        {"and32 %r0, -2", ALL, "0", "0xfffffffe"},
        {"xor %r0, -1", "0", "0", ALL},
        {"xor32 %r0, %r1", "0x100000001", "0x200000003", "2"},
        {"lsh %r0, %r1", "1", "64", "1"},
        {"lsh %r0, %r1", "1", "0x13f", MIN},
        {"lsh %r0, 65", "1", "0", "2"},
        {"lsh32 %r0, %r1", "3", "31", "0x80000000"},
        {"lsh32 %r0, %r1", "1", "32", "1"},
        {"lsh32 %r0, -1", "1", "0", "0x80000000"},
        {"rsh %r0, %r1", ALL, "127", "1"},
        {"rsh32 %r0, %r1", "0x1ffffffff", "4", "0x0fffffff"},
        {"rsh32 %r0, 33", "0x1ffffffff", "0", "0x7fffffff"},
        {"arsh %r0, 63", MIN, "0", ALL},
        {"arsh %r0, %r1", MIN, "0x101", "0xc000000000000000"},
        {"arsh32 %r0, 31", "0x180000000", "0", "0xffffffff"},
        {"arsh32 %r0, %r1", "0x180000000", "33", "0xc0000000"},
        {"neg %r0", MIN, "0", MIN},
        {"neg32 %r0", "0x100000001", "0", "0xffffffff"},
        {"mov %r0, -1", "0", "0", ALL},
        {"mov32 %r0, -1", "0", "0", "0xffffffff"},
        {"mov32 %r0, %r1", "0", ALL, "0xffffffff"},
        {"movsx864 %r0, %r1", "0", "0x180", "0xffffffffffffff80"},
        {"movsx1664 %r0, %r1", "0", "0x18000", "0xffffffffffff8000"},
        {"movsx3264 %r0, %r1", "0", "0x180000000", "0xffffffff80000000"},
        {"movsx832 %r0, %r1", "0", "0x180", "0xffffff80"},
        {"movsx1632 %r0, %r1", "0", "0x17fff", "0x7fff"},
        {"le16 %r0", "0x1122334455667788", "0", "0x7788"},
        {"le32 %r0", "0x1122334455667788", "0", "0x55667788"},
        {"le64 %r0", "0x1122334455667788", "0", "0x1122334455667788"},
        {"be16 %r0", "0x1122334455667788", "0", "0x8877"},
        {"be32 %r0", "0x1122334455667788", "0", "0x88776655"},
        {"be64 %r0", "0x1122334455667788", "0", "0x8877665544332211"},
        {"bswap16 %r0", "0x1122334455667788", "0", "0x8877"},
        {"bswap32 %r0", "0x1122334455667788", "0", "0x88776655"},
        {"bswap64 %r0", "0x1122334455667788", "0", "0x8877665544332211"},
    };

    /** A condition, r0, r1, whether it holds. */
    private static final Object[][] CONDITIONS =
    {
        {"jgt %r0, %r1", ALL, "1", true}, {"jgt %r0, -1", "5", "0", false}, {"jge %r0, %r1", "1", "1", true},
        {"jlt %r0, %r1", "1", ALL, true}, {"jlt %r0, -5", "0xffffffff", "0", true}, {"jle %r0, %r1", "2", "1", false},
        {"jsgt %r0, %r1", ALL, "1", false}, {"jsge %r0, -1", ALL, "0", true}, {"jslt %r0, %r1", MIN, "0", true},
        {"jsle %r0, 0", MIN, "0", true}, {"jeq %r0, -1", ALL, "0", true}, {"jeq %r0, -1", "0xffffffff", "0", false},
        {"jne %r0, %r1", "0x100000000", "0", true}, {"jset %r0, -2", "0xf00000000", "0", true},
        {"jset %r0, %r1", "4", "3", false}, {"jgt32 %r0, %r1", "0x1ffffffff", "1", true},
        {"jgt32 %r0, -1", "0xffffffff", "0", false}, {"jge32 %r0, -1", "0x1ffffffff", "0", true},
        {"jlt32 %r0, %r1", "0x100000001", "0x7fffffff", true}, {"jle32 %r0, %r1", "0x80000000", "0x7fffffff", false},
        {"jsgt32 %r0, 0", "0x80000000", "0", false}, {"jsge32 %r0, %r1", "0x1ffffffff", "0xffffffff", true},
        {"jslt32 %r0, %r1", "0x80000000", "0", true}, {"jsle32 %r0, -1", "0x7fffffff", "0", false},
        {"jeq32 %r0, %r1", "0x100000000", "0", true}, {"jne32 %r0, 0", "0x100000000", "0", false},
        {"jset32 %r0, %r1", "0x100000000", "0x100000000", false}, {"jset32 %r0, -1", "0x80000000", "0", true},
    };

    @ParameterizedTest
    @EnumSource(Form.class)
    void shouldComputeAsTheStandardSays(final Form form)
    {
        final List<String> wrong = new ArrayList<>();
        for (final String[] vector : VECTORS)
        {
            // Once with numbers that the compiler knows, once with numbers from memory.
            for (final String through : List.of("", "stxdw [%r10-8], %r0\nldxdw %r0, [%r10-8]\n" +
                "stxdw [%r10-8], %r1\nldxdw %r1, [%r10-8]\n"))
            {
                final long result = run(form, load(0, vector[1]), load(1, vector[2]), through + vector[0], "exit");
                if (result != number(vector[3]))
                {
                    wrong.add(String.join(" ", vector) + ": " + Long.toHexString(result));
                }
            }
        }
        assertEquals(List.of(), wrong);
    }

    @ParameterizedTest
    @EnumSource(Form.class)
    void shouldJumpAsTheStandardSays(final Form form)
    {
        final List<String> wrong = new ArrayList<>();
        for (final Object[] condition : CONDITIONS)
        {
            for (final String through : List.of("", "stxdw [%r10-8], %r0\nldxdw %r0, [%r10-8]\n"))
            {
                final long taken = run(form, load(0, (String)condition[1]), load(1, (String)condition[2]),
                    through + condition[0] + ", taken", "mov %r0, 0", "exit", "taken:", "mov %r0, 1", "exit");
                if ((taken == 1) != (boolean)condition[3])
                {
                    wrong.add(List.of(condition) + " " + through);
                }
            }
        }
        assertEquals(List.of(), wrong);
    }

    private static String load(final int register, final String number)
    {
        return "lddw %r" + register + ", " + number;
    }

    private static long number(final String text)
    {
        return text.startsWith("0x") ? Long.parseUnsignedLong(text.substring(2), 16) : Long.parseLong(text);
    }

    private static long run(final Form form, final String... lines)
    {
        final ProgramCode code = form.of(Programs.verified("vector", Assembler.assemble(lines)));
        final BpfContext context = new BpfContext(code);
        context.begin(code);
        return code.run(context, 0, 0, 0, 0, 0, 0, AddressSpace.FIRST_FRAME);
    }
}
