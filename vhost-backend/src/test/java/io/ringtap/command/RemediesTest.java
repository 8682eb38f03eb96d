package io.ringtap.command;

import io.ringtap.sys.Errno;
import io.ringtap.sys.SyscallException;
import org.junit.jupiter.api.Test;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

/** What users can do is said with what went wrong. */
class RemediesTest
{
    @Test
    void shouldTellAUserWithoutRightsWhatToDo()
    {
        final String line = Remedies.describe(new SyscallException("open", Errno.EACCES, "/dev/net/tun"));
        assertTrue(line.startsWith("open(/dev/net/tun): EACCES"), line);
        assertTrue(line.endsWith("; run as root, or pass a TAP opened by a privileged parent with --tap-fd"), line);
    }

    @Test
    void shouldLeaveAnUnknownFailureAsItIs()
    {
        assertEquals("it broke", Remedies.describe(new IllegalStateException("it broke")));
        assertEquals("java.lang.IllegalStateException", Remedies.describe(new IllegalStateException()));
    }
}
