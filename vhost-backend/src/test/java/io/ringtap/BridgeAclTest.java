package io.ringtap;

import static org.junit.jupiter.api.Assertions.assertDoesNotThrow;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;

/** Which bridges the lists allow, and what is said of bad ones. */
class BridgeAclTest
{
    @TempDir
    Path directory;

    private Path hosts;

    @BeforeEach
    void prepare()
    {
        hosts = directory.resolve("bridge.conf");
    }

    @Test
    void shouldAllowWhatALineNamesAndDenyTheRest() throws IOException
    {
        write(hosts, "# bridges of guests\nallow br0\n  allow\tbr1 # and this\ndeny all\n");
        assertAllowed("br0");
        assertAllowed("br1");
        assertEquals("--bridge=br2: " + hosts + " does not allow it; choose another bridge, or let the administrator" +
            " add the line: allow br2", refusal("br2"));
    }

    @Test
    void shouldLetANameBeatAllAndDenyBeatAllow() throws IOException
    {
        write(hosts, "allow all\ndeny br1\n");
        assertAllowed("br0");
        refusal("br1");
        write(hosts, "deny br0\nallow br0\n");
        refusal("br0");
        write(hosts, "deny all\nallow all\n");
        refusal("br0");
        write(hosts, "");
        refusal("br0");
    }

    @Test
    void shouldReadWhatAFileIncludesBesideIt() throws IOException
    {
        write(hosts, "include more.conf\n");
        write(directory.resolve("more.conf"), "allow br7\n");
        assertAllowed("br7");
        write(hosts, "include bridge.conf\n");
        assertTrue(refusal("br7").contains("it is included 8 deep"));
    }

    @Test
    void shouldAskForEveryListThatApplies() throws IOException
    {
        final Path asked = directory.resolve("asked.conf");
        write(hosts, "allow br0\nallow br1\n");
        write(asked, "allow br0\nallow br2\n");
        final BridgeAcl both = BridgeAcl.of(hosts.toString(), asked.toString(), false);
        assertDoesNotThrow(() -> both.check("br0"));
        assertThrows(ConfigException.class, () -> both.check("br1"));
        assertThrows(ConfigException.class, () -> both.check("br2"));
    }

    @Test
    void shouldAllowEverythingWithoutAListUnlessThePrivilegeIsBorrowed()
    {
        assertDoesNotThrow(() -> BridgeAcl.of(hosts.toString(), null, false).check("br0"));
        assertTrue(assertThrows(ConfigException.class, () -> BridgeAcl.of(hosts.toString(), null, true))
            .getMessage().startsWith(hosts + ": the list of bridges cannot be read"));
    }

    @Test
    void shouldSayWhichLineIsWrong() throws IOException
    {
        write(hosts, "allow br0\nallow\n");
        assertEquals(hosts + ":2: 1 words instead of two; write for example: allow br0", refusal("br0"));
        write(hosts, "\npermit br0\n");
        assertEquals(hosts + ":2: 'permit' is none of allow, deny, include; write for example: allow br0",
            refusal("br0"));
        write(hosts, "include nowhere.conf\n");
        assertTrue(refusal("br0").contains("nowhere.conf: the list of bridges cannot be read"));
    }

    @Test
    void shouldRefuseAListThatOthersMayWriteOrThatIsTooLong() throws IOException
    {
        write(hosts, "allow br0\n");
        Files.setPosixFilePermissions(hosts, PosixFilePermissions.fromString("rw-rw-r--"));
        assertEquals(hosts + ": its group or others may write to it; run: chmod go-w " + hosts, refusal("br0"));
        write(hosts, "#".repeat(BridgeAcl.MAX_FILE + 1));
        Files.setPosixFilePermissions(hosts, PosixFilePermissions.fromString("rw-r--r--"));
        assertTrue(refusal("br0").contains("not a file of at most 65536 bytes"));
    }

    private void assertAllowed(final String bridge)
    {
        assertDoesNotThrow(() -> BridgeAcl.of(hosts.toString(), null, false).check(bridge));
    }

    private String refusal(final String bridge)
    {
        return assertThrows(ConfigException.class,
            () -> BridgeAcl.of(hosts.toString(), null, false).check(bridge)).getMessage();
    }

    private static void write(final Path file, final String text) throws IOException
    {
        Files.writeString(file, text);
        Files.setPosixFilePermissions(file, PosixFilePermissions.fromString("rw-r--r--"));
    }
}
