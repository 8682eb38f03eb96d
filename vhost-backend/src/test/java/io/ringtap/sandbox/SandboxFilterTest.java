package io.ringtap.sandbox;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.ringtap.sys.Errno;
import io.ringtap.sys.Seccomp;
import io.ringtap.sys.SyscallNumber;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

import java.util.EnumSet;
import java.util.HashMap;
import java.util.Map;
import java.util.Random;
import java.util.Set;

/** The filter's code, run as the kernel would, on both machines. */
class SandboxFilterTest
{
    private static final int PROCESS = 4242;
    private static final int REFUSED = Seccomp.ERRNO | Errno.EPERM;
    private static final int UNKNOWN = Seccomp.ERRNO | Errno.ENOSYS;
    private static final Set<Door> NOTHING = EnumSet.noneOf(Door.class);

    @ParameterizedTest
    @EnumSource(Machine.class)
    void shouldAllowWhatIsListedAndRefuseTheRest(final Machine machine)
    {
        final FilterMachine filter = filter(machine, NOTHING);
        final Map<Integer, KernelCall> calls = new HashMap<>();
        for (final KernelCall call : KernelCall.values())
        {
            final KernelCall other = calls.put(call.number(machine), call);
            assertTrue(null == other || KernelCall.NONE == call.number(machine), call + " has the number of " + other);
        }
        int judged = 0;
        for (int number = 0; number < 1024; number++)
        {
            final KernelCall call = calls.get(number);
            final int expected = number > KernelCall.NEWEST ? UNKNOWN : null == call ? REFUSED : Seccomp.ALLOW;
            if (null != call && call.isJudged())
            {
                continue;
            }
            assertEquals(expected, filter.run(machine.audit(), number), machine + " call " + number);
            judged++;
        }
        System.out.println(judged + " system calls of " + machine + " judged");
    }

    @ParameterizedTest
    @EnumSource(Machine.class)
    void shouldEndAProcessThatCallsAsAnotherMachine(final Machine machine)
    {
        final FilterMachine filter = filter(machine, EnumSet.allOf(Door.class));
        for (final Machine other : Machine.values())
        {
            assertEquals(other == machine ? Seccomp.ALLOW : Seccomp.KILL_PROCESS,
                filter.run(other.audit(), KernelCall.GETPID.number(machine)));
        }
        // AUDIT_ARCH_I386, and the calls of x32.
        assertEquals(Seccomp.KILL_PROCESS, filter.run(0x4000_0003, 20));
        if (Machine.X86_64 == machine)
        {
            assertEquals(Seccomp.KILL_PROCESS, filter.run(machine.audit(), 0x4000_0000));
            assertEquals(Seccomp.KILL_PROCESS, filter.run(machine.audit(), -1));
        }
    }

    @ParameterizedTest
    @EnumSource(Machine.class)
    void shouldJudgeArguments(final Machine machine)
    {
        final FilterMachine filter = filter(machine, NOTHING);
        assertEquals(Seccomp.ALLOW, call(filter, machine, KernelCall.IOCTL, 3, 0x400454ca));
        assertEquals(REFUSED, call(filter, machine, KernelCall.IOCTL, 0, 0x5412));
        assertEquals(REFUSED, call(filter, machine, KernelCall.IOCTL, 0, 0x5412 | 1L << 32));
        assertEquals(REFUSED, call(filter, machine, KernelCall.IOCTL, 0, 0x541c));
        assertEquals(Seccomp.ALLOW, call(filter, machine, KernelCall.CLONE, 0x3d0f00));
        assertEquals(REFUSED, call(filter, machine, KernelCall.CLONE, 17));
        assertEquals(UNKNOWN, call(filter, machine, KernelCall.CLONE3, 0));
        assertEquals(Seccomp.ALLOW, call(filter, machine, KernelCall.PRCTL, 15));
        assertEquals(REFUSED, call(filter, machine, KernelCall.PRCTL, 4));
        assertEquals(Seccomp.ALLOW, call(filter, machine, KernelCall.TGKILL, PROCESS));
        assertEquals(REFUSED, call(filter, machine, KernelCall.TGKILL, PROCESS + 1));
        assertEquals(Seccomp.ALLOW, call(filter, machine, KernelCall.SOCKETPAIR, 1));
        assertEquals(REFUSED, call(filter, machine, KernelCall.SOCKETPAIR, 2));
    }

    @ParameterizedTest
    @EnumSource(Machine.class)
    void shouldAllowSocketsOfFewFamilies(final Machine machine)
    {
        for (final Set<Door> open : Set.of(NOTHING, Set.of(Door.PACKET_SOCKETS), Set.of(Door.XDP_SOCKETS)))
        {
            final FilterMachine filter = filter(machine, open);
            for (int family = 0; family < 64; family++)
            {
                final boolean isOpen = Set.of(1, 2, 10, 16).contains(family) || 17 == family && !open.isEmpty() ||
                    44 == family && open.contains(Door.XDP_SOCKETS);
                assertEquals(isOpen ? Seccomp.ALLOW : REFUSED,
                    call(filter, machine, KernelCall.SOCKET, family, 1, 0), "family " + family + " with " + open);
            }
            assertEquals(REFUSED, call(filter, machine, KernelCall.SOCKET, 16, 3, 16));
        }
    }

    @ParameterizedTest
    @EnumSource(Machine.class)
    void shouldOpenEachDoorForItself(final Machine machine)
    {
        final Map<KernelCall, Door> doors = Map.of(KernelCall.MKNODAT, Door.DEVICE_FILES,
            KernelCall.IO_URING_SETUP, Door.IO_URING, KernelCall.IO_URING_ENTER, Door.IO_URING,
            KernelCall.IO_URING_REGISTER, Door.IO_URING);
        doors.forEach((call, door) ->
        {
            assertEquals(Seccomp.ALLOW, call(filter(machine, Set.of(door)), machine, call, 0));
            assertEquals(REFUSED,
                call(filter(machine, EnumSet.complementOf(EnumSet.of(door))), machine, call, 0));
        });
        final Set<Integer> attach = Set.of(0, 2, 5, 28);
        final Set<Integer> oracle = Set.of(0, 5);
        for (int command = 0; command < 64; command++)
        {
            assertEquals(REFUSED, call(filter(machine, NOTHING), machine, KernelCall.BPF, command));
            assertEquals(oracle.contains(command) ? Seccomp.ALLOW : REFUSED,
                call(filter(machine, Set.of(Door.XDP_ORACLE)), machine, KernelCall.BPF, command));
            assertEquals(attach.contains(command) ? Seccomp.ALLOW : REFUSED,
                call(filter(machine, Set.of(Door.XDP_ORACLE, Door.XDP_ATTACH)), machine, KernelCall.BPF, command));
        }
    }

    @Test
    void shouldNumberCallsAsTheyAreMadeHere()
    {
        final Machine here = Machine.current();
        assertEquals(SyscallNumber.IOCTL, KernelCall.IOCTL.number(here));
        assertEquals(SyscallNumber.BPF, KernelCall.BPF.number(here));
        assertEquals(SyscallNumber.TGKILL, KernelCall.TGKILL.number(here));
        assertEquals(SyscallNumber.PRCTL, KernelCall.PRCTL.number(here));
        assertEquals(SyscallNumber.SOCKET, KernelCall.SOCKET.number(here));
        assertEquals(SyscallNumber.MKNODAT, KernelCall.MKNODAT.number(here));
        assertEquals(SyscallNumber.EPOLL_PWAIT, KernelCall.EPOLL_PWAIT.number(here));
        assertEquals(SyscallNumber.MEMFD_CREATE, KernelCall.MEMFD_CREATE.number(here));
    }

    @ParameterizedTest
    @EnumSource(Machine.class)
    void shouldAnswerWhateverItIsAsked(final Machine machine)
    {
        final Random random = new Random(7);
        final FilterMachine filter = filter(machine, Set.of(Door.IO_URING));
        for (int i = 0; i < 100_000; i++)
        {
            final int answer = filter.run(machine.audit(), random.nextInt(600),
                random.nextLong(), random.nextLong(), random.nextLong());
            assertTrue(Seccomp.ALLOW == answer || REFUSED == answer || UNKNOWN == answer, "answer " + answer);
        }
    }

    private static FilterMachine filter(final Machine machine, final Set<Door> open)
    {
        return new FilterMachine(SandboxFilter.build(machine, open, PROCESS));
    }

    private static int call(
        final FilterMachine filter, final Machine machine, final KernelCall call, final long... arguments)
    {
        return filter.run(machine.audit(), call.number(machine), arguments);
    }
}
