package io.ringtap.sandbox;

import io.ringtap.sys.Errno;
import io.ringtap.sys.Seccomp;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Set;

/**
 * The filter: what is in {@link KernelCall} is allowed, some of it by its arguments; the rest is refused with EPERM, so
 * that a mistake of ours, or of a filter class, is an exception and not the end of all guests. Calls that did not exist
 * when this was written get ENOSYS: the C library then takes the elder ones. Another machine's calls (32-bit, x32),
 * which nobody here makes by mistake, end the process.
 */
final class SandboxFilter
{
    /** Numbers from here on are those of x32 (__X32_SYSCALL_BIT). */
    private static final int X32 = 0x3fff_ffff;

    /** linux/sched.h: what shares everything with us is a thread, what does not is a new process. */
    private static final int CLONE_THREAD = 0x0001_0000;

    private static final int AF_UNIX = 1;
    private static final int AF_INET = 2;
    private static final int AF_INET6 = 10;
    private static final int AF_NETLINK = 16;
    private static final int AF_PACKET = 17;
    private static final int AF_XDP = 44;
    private static final int NETLINK_ROUTE = 0;

    /** asm-generic/ioctls.h: both put words into the mouth of whoever sits at the terminal. */
    private static final int TIOCSTI = 0x5412;
    private static final int TIOCLINUX = 0x541c;

    /** linux/prctl.h: PR_SET_NAME, PR_GET_NAME, PR_SET_TIMERSLACK and PR_SET_VMA, which names memory. */
    private static final List<Integer> PRCTLS = List.of(15, 16, 29, 0x5356_4d41);

    /** linux/bpf.h: MAP_CREATE, MAP_UPDATE_ELEM, PROG_LOAD and LINK_CREATE. */
    private static final List<Integer> BPF_ATTACH = List.of(0, 2, 5, 28);
    /** MAP_CREATE and PROG_LOAD. */
    private static final List<Integer> BPF_ORACLE = List.of(0, 5);

    private SandboxFilter()
    {
    }

    /**
     * The filter's code.
     *
     * @param process number of the process: signals go to its own threads only.
     */
    static long[] build(final Machine machine, final Set<Door> open, final int process)
    {
        final FilterCode code = new FilterCode()
            .load(Seccomp.ARCH).unless(machine.audit()).kill()
            .load(Seccomp.NUMBER);
        if (Machine.X86_64 == machine)
        {
            code.onlyAbove(X32).kill();
        }
        for (final KernelCall call : KernelCall.values())
        {
            if (call.isJudged())
            {
                code.onlyIf(call.number(machine), judgement(call, open, process));
            }
        }
        final int[] numbers = Arrays.stream(KernelCall.values()).filter((call) -> !call.isJudged())
            .mapToInt((call) -> call.number(machine)).filter((number) -> number >= 0).sorted().toArray();
        for (int first = 0, next; first < numbers.length; first = next)
        {
            next = first + 1;
            while (next < numbers.length && numbers[next] == numbers[next - 1] + 1)
            {
                next++;
            }
            code.allow(numbers[first], numbers[next - 1]);
        }
        return code.onlyAbove(KernelCall.NEWEST).refuse(Errno.ENOSYS).refuse().toArray();
    }

    /** What is said of a call whose arguments decide. */
    private static FilterCode judgement(final KernelCall call, final Set<Door> open, final int process)
    {
        final FilterCode code = new FilterCode();
        return switch (call)
        {
            case IOCTL -> code.loadArgument(1).onlyIf(TIOCSTI).refuse().onlyIf(TIOCLINUX).refuse().allow();
            case SOCKET -> socket(code, open);
            case SOCKETPAIR -> only(code.loadArgument(0), List.of(AF_UNIX));
            case CLONE -> code.loadArgument(0).onlyWith(CLONE_THREAD).allow().refuse();
            // Its flags lie in memory, where a filter sees nothing: the C library falls back to clone.
            case CLONE3 -> code.refuse(Errno.ENOSYS);
            case PRCTL -> only(code.loadArgument(0), PRCTLS);
            case TGKILL -> only(code.loadArgument(0), List.of(process));
            // 0 is the caller.
            case PRLIMIT64 -> only(code.loadArgument(0), List.of(0, process));
            case BPF -> only(code.loadArgument(0), open.contains(Door.XDP_ATTACH) ? BPF_ATTACH :
                open.contains(Door.XDP_ORACLE) ? BPF_ORACLE : List.of());
            case MKNODAT -> open.contains(Door.DEVICE_FILES) ? code.allow() : code.refuse();
            case IO_URING_SETUP, IO_URING_ENTER, IO_URING_REGISTER ->
                open.contains(Door.IO_URING) ? code.allow() : code.refuse();
            default -> throw new IllegalStateException(call + " has no judgement");
        };
    }

    private static FilterCode socket(final FilterCode code, final Set<Door> open)
    {
        final List<Integer> families = new ArrayList<>(List.of(AF_UNIX, AF_INET, AF_INET6));
        if (open.contains(Door.PACKET_SOCKETS) || open.contains(Door.XDP_SOCKETS))
        {
            // AF_XDP ports keep their device promiscuous by a packet socket.
            families.add(AF_PACKET);
        }
        if (open.contains(Door.XDP_SOCKETS))
        {
            families.add(AF_XDP);
        }
        code.loadArgument(0);
        families.forEach((family) -> code.onlyIf(family).allow());
        return code.unless(AF_NETLINK).refuse().loadArgument(2).onlyIf(NETLINK_ROUTE).allow().refuse();
    }

    private static FilterCode only(final FilterCode code, final List<Integer> values)
    {
        values.forEach((value) -> code.onlyIf(value).allow());
        return code.refuse();
    }
}
