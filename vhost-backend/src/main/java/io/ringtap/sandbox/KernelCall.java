package io.ringtap.sandbox;

/**
 * The system calls that a running backend makes, with their numbers in asm/unistd_64.h and asm-generic/unistd.h: those
 * of the JVM and the C library, measured with Java 17 and 25, those of this project, and their siblings, since another
 * release of either may take one for the other. What is not here is refused.
 */
enum KernelCall
{
    // Files: opened, read, written, looked at, moved and removed.
    READ(0, 63), WRITE(1, 64), CLOSE(3, 57), OPEN(2, -1), OPENAT(257, 56), OPENAT2(437, 437), CLOSE_RANGE(436, 436),
    LSEEK(8, 62), PREAD64(17, 67), PWRITE64(18, 68), READV(19, 65), WRITEV(20, 66), PREADV(295, 69), PWRITEV(296, 70),
    PREADV2(327, 286), PWRITEV2(328, 287), STAT(4, -1), FSTAT(5, 80), LSTAT(6, -1), NEWFSTATAT(262, 79),
    STATX(332, 291), STATFS(137, 43), FSTATFS(138, 44), ACCESS(21, -1), FACCESSAT(269, 48), FACCESSAT2(439, 439),
    READLINK(89, -1), READLINKAT(267, 78), GETDENTS64(217, 61), GETCWD(79, 17), FCNTL(72, 25), FLOCK(73, 32),
    FSYNC(74, 82), FDATASYNC(75, 83), SYNC_FILE_RANGE(277, 84), TRUNCATE(76, 45), FTRUNCATE(77, 46),
    FALLOCATE(285, 47), FADVISE64(221, 223), COPY_FILE_RANGE(326, 285), SENDFILE(40, 71), SPLICE(275, 76),
    DUP(32, 23), DUP2(33, -1), DUP3(292, 24), PIPE(22, -1), PIPE2(293, 59), RENAME(82, -1), RENAMEAT(264, 38),
    RENAMEAT2(316, 276), MKDIR(83, -1), MKDIRAT(258, 34), RMDIR(84, -1), UNLINK(87, -1), UNLINKAT(263, 35),
    CHMOD(90, -1), FCHMOD(91, 52), FCHMODAT(268, 53), FCHMODAT2(452, 452), CHOWN(92, -1), FCHOWN(93, 55),
    FCHOWNAT(260, 54),
    UMASK(95, 166), UTIMENSAT(280, 88), INOTIFY_INIT1(294, 26), INOTIFY_ADD_WATCH(254, 27), INOTIFY_RM_WATCH(255, 28),
    // Memory.
    MMAP(9, 222), MUNMAP(11, 215), MPROTECT(10, 226), MREMAP(25, 216), MADVISE(28, 233), MSYNC(26, 227),
    MINCORE(27, 232), MLOCK(149, 228), MUNLOCK(150, 229), BRK(12, 214), MEMFD_CREATE(319, 279),
    MAP_SHADOW_STACK(453, 453), MEMBARRIER(324, 283),
    GET_MEMPOLICY(239, 236),
    // Threads of this process and their places.
    EXIT(60, 93), EXIT_GROUP(231, 94), FUTEX(202, 98), FUTEX_WAITV(449, 449), FUTEX_WAIT(455, 455),
    FUTEX_WAKE(454, 454), FUTEX_REQUEUE(456, 456), SET_ROBUST_LIST(273, 99), GET_ROBUST_LIST(274, 100),
    SET_TID_ADDRESS(218, 96), RSEQ(334, 293), ARCH_PRCTL(158, -1), GETTID(186, 178), GETPID(39, 172),
    GETPPID(110, 173), GETPGRP(111, -1), SCHED_YIELD(24, 124), SCHED_GETAFFINITY(204, 123),
    SCHED_SETAFFINITY(203, 122), SCHED_GETPARAM(143, 121), SCHED_GETSCHEDULER(145, 120),
    SCHED_GET_PRIORITY_MAX(146, 125), SCHED_GET_PRIORITY_MIN(147, 126), GETCPU(309, 168), GETPRIORITY(140, 141),
    SETPRIORITY(141, 140), RESTART_SYSCALL(219, 128),
    // Signals within the process.
    RT_SIGACTION(13, 134), RT_SIGPROCMASK(14, 135), RT_SIGRETURN(15, 139), RT_SIGPENDING(127, 136),
    RT_SIGSUSPEND(130, 133), RT_SIGTIMEDWAIT(128, 137), SIGALTSTACK(131, 132),
    // Time.
    NANOSLEEP(35, 101), CLOCK_NANOSLEEP(230, 115), CLOCK_GETTIME(228, 113), CLOCK_GETRES(229, 114),
    GETTIMEOFDAY(96, 169), TIME(201, -1), TIMES(100, 153), TIMER_CREATE(222, 107), TIMER_SETTIME(223, 110),
    TIMER_GETTIME(224, 108), TIMER_GETOVERRUN(225, 109), TIMER_DELETE(226, 111),
    TIMERFD_CREATE(283, 85), TIMERFD_SETTIME(286, 86),
    TIMERFD_GETTIME(287, 87),
    // What the process may know of itself.
    GETUID(102, 174), GETEUID(107, 175), GETGID(104, 176), GETEGID(108, 177), GETRESUID(118, 148),
    GETRESGID(120, 150), GETGROUPS(115, 158), CAPGET(125, 90), GETRLIMIT(97, 163),
    GETRUSAGE(98, 165), UNAME(63, 160), SYSINFO(99, 179), GETRANDOM(318, 278),
    // Waiting.
    POLL(7, -1), PPOLL(271, 73), SELECT(23, -1), PSELECT6(270, 72), EPOLL_CREATE(213, -1),
    EPOLL_CREATE1(291, 20), EPOLL_CTL(233, 21), EPOLL_WAIT(232, -1), EPOLL_PWAIT(281, 22), EPOLL_PWAIT2(441, 441),
    EVENTFD(284, -1), EVENTFD2(290, 19),
    // Sockets that there are; which may be made is judged.
    BIND(49, 200), LISTEN(50, 201), ACCEPT(43, 202), ACCEPT4(288, 242), CONNECT(42, 203), GETSOCKNAME(51, 204),
    GETPEERNAME(52, 205), SETSOCKOPT(54, 208), GETSOCKOPT(55, 209), SENDTO(44, 206), RECVFROM(45, 207),
    SENDMSG(46, 211), RECVMSG(47, 212), SENDMMSG(307, 269), RECVMMSG(299, 243), SHUTDOWN(48, 210),
    // Judged by their arguments, see SandboxFilter.
    IOCTL(16, 29), SOCKET(41, 198), SOCKETPAIR(53, 199), CLONE(56, 220), CLONE3(435, 435), PRCTL(157, 167),
    TGKILL(234, 131), BPF(321, 280), MKNODAT(259, 33), IO_URING_SETUP(425, 425), IO_URING_ENTER(426, 426),
    IO_URING_REGISTER(427, 427), PRLIMIT64(302, 261);

    /** Stands for a call that the machine does not have. */
    static final int NONE = -1;
    /** The newest call that was looked at (mseal, Linux 6.10); what is above did not exist. */
    static final int NEWEST = 462;

    private final int x86;
    private final int arm;

    KernelCall(final int x86, final int arm)
    {
        this.x86 = x86;
        this.arm = arm;
    }

    int number(final Machine machine)
    {
        return Machine.X86_64 == machine ? x86 : arm;
    }

    /** Whether its arguments decide. */
    boolean isJudged()
    {
        return ordinal() >= IOCTL.ordinal();
    }
}
