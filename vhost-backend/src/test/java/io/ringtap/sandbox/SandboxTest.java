package io.ringtap.sandbox;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.ringtap.JavaChild;
import io.ringtap.sys.Errno;
import org.junit.jupiter.api.Test;

import java.util.List;
import java.util.Set;
import java.util.TreeSet;

/** The filter in a process of its own. */
class SandboxTest
{
    private static final Set<String> WHO = Set.of("elder", "same", "younger");
    private static final int KILLED_BY_SIGSYS = 128 + 31;

    @Test
    void shouldRefuseEveryThreadWhatNoBackendNeeds() throws Exception
    {
        final JavaChild.Result result = JavaChild.run(SandboxProbe.class);
        assertEquals(0, result.exitCode(), result.output());
        final List<String> lines = result.output().lines().toList();
        final Set<String> allowed = new TreeSet<>();
        int refused = 0;
        int byFilterAlone = 0;
        for (final String line : lines)
        {
            final String[] words = line.split(" ");
            if (WHO.contains(words[0]))
            {
                refused++;
                if (-Errno.EPERM != Long.parseLong(words[2]))
                {
                    allowed.add(line);
                }
            }
            byFilterAlone += "before".equals(words[0]) && -Errno.EPERM != Long.parseLong(words[2]) ? 1 : 0;
        }
        final long exist = List.of(Attempt.values()).stream().filter(Attempt::existsHere).count();
        assertEquals(Set.of(), allowed);
        assertEquals(WHO.size() * exist, refused, result.output());
        assertTrue(lines.containsAll(List.of("listens true", "cannot start programs", "own thread true", "lived")),
            result.output());
        System.out.println(refused + " calls of " + WHO.size() + " threads refused, " + byFilterAlone + " of " + exist +
            " by the filter alone");
    }

    @Test
    void shouldLeaveOpenWhatItIsToldTo() throws Exception
    {
        final JavaChild.Result result = JavaChild.run(SandboxProbe.class, Door.PACKET_SOCKETS.name(),
            Door.XDP_SOCKETS.name(), Door.XDP_ATTACH.name(), Door.IO_URING.name(), Door.DEVICE_FILES.name());
        assertEquals(0, result.exitCode(), result.output());
        final Set<Attempt> open = Set.of(Attempt.BPF_PROG_LOAD, Attempt.BPF_MAP_CREATE, Attempt.BPF_LINK_CREATE,
            Attempt.SOCKET_PACKET, Attempt.SOCKET_XDP, Attempt.IO_URING_SETUP, Attempt.MKNODAT);
        for (final Attempt attempt : open)
        {
            final long before = word(result, "before", attempt);
            final long after = word(result, "same", attempt);
            assertEquals(Math.min(0, before), Math.min(0, after), attempt.name());
        }
        assertEquals(-Errno.EPERM, word(result, "same", Attempt.BPF_BTF_LOAD));
        assertEquals(-Errno.EPERM, word(result, "same", Attempt.SOCKET_ALG));
    }

    @Test
    void shouldEndAProcessThatSpeaksX32() throws Exception
    {
        if (Machine.X86_64 == Machine.current())
        {
            final JavaChild.Result result = JavaChild.run(SandboxProbe.class, SandboxProbe.X32);
            assertEquals(KILLED_BY_SIGSYS, result.exitCode(), result.output());
        }
    }

    private static long word(final JavaChild.Result result, final String who, final Attempt attempt)
    {
        return result.output().lines().filter((line) -> line.startsWith(who + " " + attempt + " "))
            .mapToLong((line) -> Long.parseLong(line.split(" ")[2])).findFirst().orElseThrow();
    }
}
