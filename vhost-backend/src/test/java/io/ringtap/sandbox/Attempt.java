package io.ringtap.sandbox;

import io.ringtap.sys.Kernel;

/**
 * A system call that somebody makes who took the process over; numbers of asm/unistd_64.h and asm-generic/unistd.h.
 * Arguments are such that a call that is let through does no harm.
 */
enum Attempt
{
    EXECVE(59, 221), EXECVEAT(322, 281), PTRACE(101, 117, 16, -1), PROCESS_VM_READV(310, 270),
    PROCESS_VM_WRITEV(311, 271), KILL(62, 129, 1), TKILL(200, 130), RT_SIGQUEUEINFO(129, 138, 1), PIDFD_OPEN(434, 434),
    PIDFD_SEND_SIGNAL(424, 424),
    PIDFD_GETFD(438, 438), KCMP(312, 272), MOUNT(165, 40), UMOUNT2(166, 39), PIVOT_ROOT(155, 41), CHROOT(161, 51),
    OPEN_TREE(428, 428), MOVE_MOUNT(429, 429), FSOPEN(430, 430), MOUNT_SETATTR(442, 442), SETNS(308, 268, -1),
    UNSHARE(272, 97), KEXEC_LOAD(246, 104, 0, 17), KEXEC_FILE_LOAD(320, 294, -1, -1), INIT_MODULE(175, 105),
    FINIT_MODULE(313, 273, -1), DELETE_MODULE(176, 106), BPF_PROG_LOAD(321, 280, 5), BPF_MAP_CREATE(321, 280, 0),
    BPF_BTF_LOAD(321, 280, 18), BPF_LINK_CREATE(321, 280, 28), PERF_EVENT_OPEN(298, 241), KEYCTL(250, 219),
    ADD_KEY(248, 217), REQUEST_KEY(249, 218), USERFAULTFD(323, 282, -1), OPEN_BY_HANDLE_AT(304, 265, -1),
    NAME_TO_HANDLE_AT(303, 264, -1), FANOTIFY_INIT(300, 262, -1), SETUID(105, 146, -1), SETGID(106, 144, -1),
    SETRESUID(117, 147, -1, -1, -1), SETRESGID(119, 149, -1, -1, -1), SETGROUPS(116, 159, -1), CAPSET(126, 91),
    PERSONALITY(135, 92, -1), REBOOT(169, 142), SWAPON(167, 224), SETTIMEOFDAY(164, 170), CLOCK_SETTIME(227, 112),
    ADJTIMEX(159, 171), SETHOSTNAME(170, 161, 0, -1), SYSLOG(103, 116, 10), QUOTACTL(179, 60), SECCOMP(317, 277, 99),
    PRCTL_DUMPABLE(157, 167, 4, 1), PRCTL_KEEPCAPS(157, 167, 8, 0), PRCTL_CAP_AMBIENT(157, 167, 47),
    SOCKET_PACKET(41, 198, 17, 3), SOCKET_ALG(41, 198, 38, 5), SOCKET_VSOCK(41, 198, 40, 1), SOCKET_XDP(41, 198, 44, 3),
    SOCKET_BLUETOOTH(41, 198, 31, 1), SOCKET_GENERIC_NETLINK(41, 198, 16, 3, 16), SOCKETPAIR_INET(53, 199, 2, 1),
    TGKILL_OTHER(234, 131, 1, 1), IOCTL_TIOCSTI(16, 29, 0, 0x5412), MKNODAT(259, 33, -1), IO_URING_SETUP(425, 425),
    IO_SETUP(206, 0), SHMGET(29, 194, 1), MSGGET(68, 186, 1), SEMGET(64, 190, 1), MQ_OPEN(240, 180), MBIND(237, 235),
    LANDLOCK_CREATE_RULESET(444, 444), MEMFD_SECRET(447, 447, -1), SETPGID(109, 154, -1), SETSID(112, 157, false),
    PRLIMIT_OF_ANOTHER(302, 261, 1, 3), FORK(57, -1, false), VFORK(58, -1, false), CLONE_PROCESS(56, 220, 17, false);

    private final int number;
    private final long[] arguments = new long[5];
    private final boolean isHarmless;

    Attempt(final int x86, final int arm, final long... given)
    {
        this(x86, arm, true, given);
    }

    Attempt(final int x86, final int arm, final boolean isHarmless)
    {
        this(x86, arm, isHarmless, new long[0]);
    }

    Attempt(final int x86, final int arm, final long flags, final boolean isHarmless)
    {
        this(x86, arm, isHarmless, new long[] {flags});
    }

    Attempt(final int x86, final int arm, final boolean isHarmless, final long[] given)
    {
        number = Machine.X86_64 == Machine.current() ? x86 : arm;
        this.isHarmless = isHarmless;
        System.arraycopy(given, 0, arguments, 0, given.length);
    }

    /** May be made without the sandbox. */
    boolean isHarmless()
    {
        return isHarmless && existsHere();
    }

    boolean existsHere()
    {
        return number >= 0;
    }

    /** @return the result, or a negative errno. */
    long make()
    {
        return Kernel.call(number, arguments[0], arguments[1], arguments[2], arguments[3], arguments[4]);
    }
}
