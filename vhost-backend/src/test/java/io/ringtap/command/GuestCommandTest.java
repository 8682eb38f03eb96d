package io.ringtap.command;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

/** What {@link GuestCommand} says to bad words, and to a back-end that is not there. */
class GuestCommandTest
{
    private final ByteArrayOutputStream out = new ByteArrayOutputStream();
    private final ByteArrayOutputStream err = new ByteArrayOutputStream();

    @ParameterizedTest
    @CsvSource(delimiter = '|', value =
    {
        "                                  | --socket-path, --fd: exactly one is needed; give one of them",
        "--socket-path=/s --fd=3           | --socket-path, --fd: exactly one is needed; give one of them",
        "--socket-path=/s --queues=0       | --queues=0: not a number from 1 to 128; give for example 1",
        "--socket-path=/s --ring-size=48   | guest: ring size 48 is not a power of two of 2 to 32768",
        "--socket-path=/s --ip=host        | --ip=host: not an IP address; give for example 10.0.0.2 or fd00::2",
        "--socket-path=/s --mac=1:2        | --mac: '1:2' is not a MAC; write it as 52:54:00:12:34:56",
        "--socket-path=/s --mac=ff:ff:ff:ff:ff:ff | --mac: MAC ff:ff:ff:ff:ff:ff is not one that a guest can have",
        "--socket-path=/s --features=wings | --features: wings: no such feature; give names like ring_packed",
        "--socket-path=/s --pktgen --sink  | --pktgen, --sink: one guest does not both; start two guests",
        "--socket-path=/s --pktgen --size=40       | --pktgen: frame size 40 is less than 60",
        "--socket-path=/s --pktgen --to=fd00::1    | --to=fd00::1: no --ip of its family; give one with --ip",
        "--socket-path=/s --pktgen --rate=fast     | --rate=fast: not a number; give for example 1000 or 1.5M",
        "--socket-path=/s --pktgen --checksum=half | --checksum=half: no such choice; give one of none, full, partial",
        "--socket-path=/s --live=perhaps   | --live=perhaps: no such choice; give auto, on or off",
    })
    void shouldRefuseBadWords(final String words, final String expected)
    {
        assertEquals(2, run(null == words ? "" : words));
        assertTrue(err().startsWith("ringtap: " + expected), err());
        assertEquals(1, err().lines().count());
    }

    @Test
    void shouldFailWhenNobodyIsThere()
    {
        assertEquals(1, run("--socket-path=/nowhere/at.all --seconds=1"));
        assertTrue(err().startsWith("ringtap: no back-end at /nowhere/at.all within 5000 ms (ENOENT)"), err());
    }

    @Test
    void shouldHelp()
    {
        assertEquals(0, run("--help"));
        assertTrue(out.toString(StandardCharsets.UTF_8).contains("[--respond | --pktgen | --sink]"));
    }

    private int run(final String words)
    {
        return Program.run(
            ("guest " + words).trim().split(" +"),
            new PrintStream(out, true, StandardCharsets.UTF_8),
            new PrintStream(err, true, StandardCharsets.UTF_8));
    }

    private String err()
    {
        return err.toString(StandardCharsets.UTF_8);
    }
}
