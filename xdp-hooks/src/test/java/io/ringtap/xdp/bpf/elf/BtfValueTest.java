package io.ringtap.xdp.bpf.elf;

import io.ringtap.xdp.bpf.elf.TypeWriter.Member;
import org.agrona.concurrent.UnsafeBuffer;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

import java.util.Random;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

/** Bytes as values of C types, and text as bytes. */
class BtfValueTest
{
    private static final long SEED = 20_261_130;

    private final TypeWriter writer = new TypeWriter();
    private final int u8 = writer.integer("unsigned char", 1, 0);
    private final int s32 = writer.integer("int", 4, 1);
    private final int u32 = writer.integer("unsigned int", 4, 0);
    private final int u64 = writer.integer("unsigned long", 8, 0);
    private final int truth = writer.integer("_Bool", 1, 4);
    private final int be32 = writer.typedef("__be32", u32);
    private final int mode = writer.add(BtfKind.ENUM, "mode", 2, 4,
        writer.string("OFF"), 0, writer.string("DROP"), 7);
    private final int name = writer.array(writer.integer("char", 1, 1), 8);
    private final int mac = writer.array(u8, 6);
    private final int inner = writer.composite(BtfKind.UNION, "", 4,
        Member.of("word", u32, 0), Member.of("bytes", writer.array(u8, 4), 0));
    private final int record = writer.struct("record", 48,
        Member.of("packets", u64, 0), Member.of("balance", s32, 64), Member.of("address", be32, 96),
        Member.of("mode", mode, 128), Member.of("name", name, 160), Member.of("mac", mac, 224),
        Member.of("hot", truth, 272), Member.of("", inner, 288),
        Member.of("hop", writer.struct("hop", 4, Member.of("id", u32, 0)), 320));
    private final int fields = writer.struct("fields", 4,
        new Member("low", u32, 0, 3), new Member("signed", s32, 3, 5), new Member("rest", u32, 8, 24));

    @Test
    void shouldShowStructsAsTrees()
    {
        final byte[] bytes = value(record, 48).parse("packets=18446744073709551615, balance=-2, address=10.0.0.1, " +
            "mode=DROP, name=eth0, mac=52:54:00:12:34:56, hot=true, bytes[1]=2, hop.id=0x10");

        final Object tree = value(record, 48).tree(new UnsafeBuffer(bytes), 0);

        assertEquals("{packets: 18446744073709551615, balance: -2, address: 167772161, mode: DROP, name: eth0, " +
            "mac: [82, 84, 0, 18, 52, 86], hot: true, word: 512, bytes: [0, 2, 0, 0], hop: {id: 16}}",
            BtfPrinter.text(tree));
        assertEquals("{\"packets\":18446744073709551615,\"balance\":-2,\"address\":167772161,\"mode\":\"DROP\"," +
            "\"name\":\"eth0\",\"mac\":[82,84,0,18,52,86],\"hot\":true,\"word\":512,\"bytes\":[0,2,0,0]," +
            "\"hop\":{\"id\":16}}", BtfPrinter.json(tree));
    }

    @Test
    void shouldShowBitFields()
    {
        final byte[] bytes = value(fields, 4).parse("low=5,signed=-3,rest=0xabcdef");

        assertEquals("{low: 5, signed: -3, rest: 11259375}",
            BtfPrinter.text(value(fields, 4).tree(new UnsafeBuffer(bytes), 0)));
        assertArrayEquals(new byte[]{(byte)(5 | 0x1d << 3), (byte)0xef, (byte)0xcd, (byte)0xab}, bytes);
        assertEquals("8 is no number of 3 bits", complaint(fields, 4, "low=8"));
    }

    @Test
    void shouldShowBytesWithoutType()
    {
        final BtfValue raw = BtfValue.of(null, 0, 4);

        assertEquals("0a 00 00 ff", raw.tree(new UnsafeBuffer(new byte[]{9, 10, 0, 0, -1}), 1));
        assertArrayEquals(new byte[]{10, 0, 0, -1}, raw.parse("hex:0a0000ff"));
        assertArrayEquals(new byte[]{10, 0, 0, -1}, raw.parse("0a 00 00 ff"));
        assertArrayEquals(new byte[]{10, 0, 0, 1}, raw.parse("10.0.0.1"));
        assertArrayEquals(new byte[]{1, 2, 0, 0}, raw.parse("513"));
        // A type of another size than the map's is not believed.
        assertEquals("09 0a", BtfValue.of(writer.read(), u32, 2).tree(new UnsafeBuffer(new byte[]{9, 10}), 0));
    }

    @Test
    void shouldCutBytesThatNobodyReads()
    {
        final Object text = BtfValue.of(null, 0, 5000).tree(new UnsafeBuffer(new byte[5000]), 0);
        assertTrue(text.toString().endsWith("00 00 and 904 bytes more"), text::toString);
    }

    @Test
    void shouldReadAddressesOfEachLength()
    {
        assertArrayEquals(new byte[]{-2, -128, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 1},
            BtfValue.of(null, 0, 16).parse("fe80::1"));
        assertArrayEquals(new byte[]{0, 0, 0, 0, 0, 0, 0, 0, 0, 0, -1, -1, 10, 0, 0, 1},
            BtfValue.of(null, 0, 16).parse("::ffff:10.0.0.1"));
        assertArrayEquals(new byte[]{10, 0, 0, 1}, value(u32, 4).parse("10.0.0.1"));
        assertArrayEquals(new byte[]{0, 0, 0, 5}, value(be32, 4).parse("5"));
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', value = {
        "packets                 | packets is no value of STRUCT record; it has packets, balance",
        "pockets=1               | pockets: there is no field pockets; it has packets, balance",
        "packets=many            | many is no number of 64 bits",
        "balance=4294967296      | 4294967296 is no number of 32 bits",
        "balance=-2147483649     | -2147483649 is no number of 32 bits",
        "mode=ON                 | ON is no number of 32 bits; it has OFF, DROP",
        "name=far too long       | does not fit an array of 8 bytes",
        "mac=1                   | does not fit an array of 6 bytes",
        "mac[6]=1                | mac[6]: there is no element 6",
        "mac[1=1                 | mac[1 is no path",
        "packets.x=1             | INT has none",
        "hop=1                   | 1 is no value of STRUCT hop",
        "packets=1,balance       | balance has no form field=value",
        "hex:00                  | has 1 bytes, must be 48",
        "mac=52:54:00:12:34      | does not fit an array of 6 bytes"})
    void shouldSayWhichWordIsWrong(final String text, final String part)
    {
        final String message = complaint(record, 48, text);
        assertTrue(message.contains(part), message);
    }

    @Test
    void shouldSurviveAnyText()
    {
        final String[] words = {"packets", "balance", "address", "mode", "name", "mac", "hot", "bytes", "hop", ".id",
            "[1]", "[999999999]", "[", "]", "=", "=", ",", "-", "0x", "99999999999999999999", "10.0.0.1", "1.2.3",
            "::1", ":", "hex:", "0a", " ", "DROP", "true", "\u20ac", "\0"};
        final BtfValue type = value(record, 48);
        for (int i = 0; i < 20_000; i++)
        {
            final Random random = new Random(SEED + i);
            final StringBuilder text = new StringBuilder();
            for (int n = random.nextInt(8); n >= 0; n--)
            {
                text.append(words[random.nextInt(words.length)]);
            }
            try
            {
                assertEquals(48, type.parse(text.toString()).length);
            }
            catch (final ObjectException refused)
            {
                assertTrue(refused.getMessage().length() > 0);
            }
            catch (final RuntimeException failure)
            {
                throw new AssertionError("text " + i + " of seed " + SEED + ": " + text, failure);
            }
        }
    }

    @Test
    void shouldNotUnfoldForgedTypes()
    {
        // Unions of two of the last, each of the same four bytes: 2^31 parts.
        int type = u32;
        for (int i = 0; i < 31; i++)
        {
            type = writer.composite(BtfKind.UNION, "", 4, Member.of("a", type, 0), Member.of("b", type, 0));
        }
        final BtfValue forged = value(type, 4);
        final BtfValue beyond = value(writer.struct("s", 4, Member.of("a", u64, 0)), 4);
        final BtfValue far = value(writer.struct("s", 4, Member.of("a", u32, 0x7fff_ffff)), 4);
        final BtfValue wide = value(writer.struct("s", 4, new Member("a", u32, 20, 31)), 4);
        final UnsafeBuffer bytes = new UnsafeBuffer(new byte[4]);

        assertThrows(ObjectException.class, () -> forged.tree(bytes, 0));
        assertThrows(ObjectException.class, () -> beyond.tree(bytes, 0));
        assertThrows(ObjectException.class, () -> far.tree(bytes, 0));
        assertThrows(ObjectException.class, () -> wide.tree(bytes, 0));
        assertThrows(ObjectException.class, () -> beyond.parse("a=1"));
        assertThrows(ObjectException.class, () -> far.parse("a=1"));
        assertThrows(ObjectException.class, () -> wide.parse("a=1"));
    }

    @Test
    void shouldQuoteForJson()
    {
        assertEquals("\"a\\\"b\\\\c\\u0001\"", BtfPrinter.json("a\"b\\c\u0001"));
        assertEquals("\"NaN\"", BtfPrinter.json(Double.NaN));
    }

    private BtfValue value(final int type, final int size)
    {
        return BtfValue.of(writer.read(), type, size);
    }

    private String complaint(final int type, final int size, final String text)
    {
        return assertThrows(ObjectException.class, () -> value(type, size).parse(text)).getMessage();
    }
}
