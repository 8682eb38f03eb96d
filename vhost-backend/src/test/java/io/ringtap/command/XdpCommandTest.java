package io.ringtap.command;

import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.PrintStream;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.file.Files;
import java.nio.file.Path;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

/** {@code ringtap xdp check} and {@code run}, as a user sees them. */
class XdpCommandTest
{
    private final ByteArrayOutputStream out = new ByteArrayOutputStream();
    private final ByteArrayOutputStream err = new ByteArrayOutputStream();

    @TempDir
    private Path folder;
    private Path object;
    private Path capture;

    @BeforeEach
    void prepare() throws IOException
    {
        object = folder.resolve("two.o");
        try (InputStream in = XdpCommandTest.class.getResourceAsStream("/xdp/two.o"))
        {
            Files.copy(in, object);
        }
        // Two frames: 60 and 64 bytes of nothing.
        capture = Files.write(folder.resolve("in.pcap"), ByteBuffer.allocate(24 + 16 + 60 + 16 + 64)
            .order(ByteOrder.LITTLE_ENDIAN).putInt(0xa1b2c3d4).putShort((short)2).putShort((short)4).putLong(0)
            .putInt(65535).putInt(1).putLong(0).putInt(60).putInt(60).put(new byte[60]).putLong(0).putInt(64)
            .putInt(64).array());
    }

    @Test
    void shouldTellVerdictsOnFrames()
    {
        assertEquals(0, run("xdp", "run", object + ":too_long", capture.toString()));

        assertEquals("     1  PASS         60 bytes\n     2  DROP         64 bytes\n" +
            "2 frames: 1 DROP, 1 PASS by too_long of two.o, compiled\n", out.toString());
        assertEquals("", err.toString());
    }

    @Test
    void shouldSetVariablesBefore()
    {
        assertEquals(0, run("xdp", "run", object + ":too_long", capture.toString(), "--set", "limit=64"));
        assertTrue(out.toString().contains("2 frames: 2 PASS"), out::toString);
    }

    @Test
    void shouldWriteWhatFramesBecame() throws IOException
    {
        final Path written = folder.resolve("out.pcap");
        assertEquals(0, run("xdp", "run", object + ":mark", capture.toString(), "--json", "-w", written.toString(),
            "--queue=3", "--queues=4"));

        assertEquals("""
            {"frame":1,"verdict":"TX","length":60,"rewritten":true,"new_length":60}
            {"frame":2,"verdict":"TX","length":64,"rewritten":true,"new_length":64}
            {"object":"two.o","program":"mark","form":"compiled","frames":2,"verdicts":\
            {"ABORTED":0,"DROP":0,"PASS":0,"TX":2,"REDIRECT":0}}
            """, out.toString());
        final byte[] file = Files.readAllBytes(written);
        assertEquals(24 + 16 + 60 + 16 + 64, file.length);
        assertEquals(3, file[40]);
    }

    @Test
    void shouldTellWhatIsInAnObject()
    {
        assertEquals(0, run("xdp", "check", "--dump", object.toString()));

        for (final String part : new String[]{"two.o: license Apache-2.0, compiled without -g",
            "too_long (xdp): ", "mark (xdp): ", ".rodata: 4 bytes of constants", "limit (.rodata) = 3e 00 00 00",
            "r0 = ", "exit"})
        {
            assertTrue(out.toString().contains(part), () -> part + " in\n" + out);
        }
    }

    @Test
    void shouldSayWhatIsWrongInOneLine() throws IOException
    {
        assertWrong("two.o: it has 2 programs, name one of too_long, mark as two.o:NAME",
            "xdp", "run", object.toString(), capture.toString());
        assertWrong("two.o: there is no program none", "xdp", "check", object + ":none");
        assertWrong("no ELF file", "xdp", "check", capture.toString());
        assertWrong("cannot be read", "xdp", "check", folder.resolve("none.o").toString());
        assertWrong("no capture file", "xdp", "run", object + ":mark", object.toString());
        assertWrong("--direction=up: no such choice", "xdp", "run", "--direction=up", object + ":mark",
            capture.toString());
        assertWrong("--queue=1: not a number from 0 to 0", "xdp", "run", "--queue=1", object + ":mark",
            capture.toString());
        assertWrong("there is no variable other; it has limit", "xdp", "check", "--set=other=1", object.toString());
        assertWrong("--set=limit: no name and value", "xdp", "check", "--set=limit", object.toString());
        assertWrong("there is no map m with entries; it has none", "xdp", "check", "--entries=m=1", object.toString());
        assertWrong("needs one of its commands", "xdp");
    }

    private void assertWrong(final String part, final String... words)
    {
        err.reset();
        assertEquals(2, run(words));
        assertEquals(1, err.toString().lines().count(), err::toString);
        assertTrue(err.toString().startsWith("ringtap: ") && err.toString().contains(part), err::toString);
    }

    private int run(final String... words)
    {
        return Program.run(words, new PrintStream(out), new PrintStream(err));
    }
}
