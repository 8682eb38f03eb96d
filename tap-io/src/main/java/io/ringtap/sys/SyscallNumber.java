package io.ringtap.sys;

/**
 * Numbers of the system calls this project makes, from asm/unistd_64.h (x86-64) and asm-generic/unistd.h (arm64). Only
 * calls that both machines have are used, hence openat, ppoll and epoll_pwait instead of their elders.
 */
public final class SyscallNumber
{
    private static final boolean X86 = isX86();

    public static final int READ = X86 ? 0 : 63;
    public static final int WRITE = X86 ? 1 : 64;
    public static final int CLOSE = X86 ? 3 : 57;
    public static final int FSTAT = X86 ? 5 : 80;
    public static final int MPROTECT = X86 ? 10 : 226;
    public static final int MUNMAP = X86 ? 11 : 215;
    public static final int IOCTL = X86 ? 16 : 29;
    public static final int READV = X86 ? 19 : 65;
    public static final int WRITEV = X86 ? 20 : 66;
    public static final int MADVISE = X86 ? 28 : 233;
    public static final int DUP = X86 ? 32 : 23;
    public static final int GETPID = X86 ? 39 : 172;
    public static final int SOCKET = X86 ? 41 : 198;
    public static final int CONNECT = X86 ? 42 : 203;
    public static final int SENDTO = X86 ? 44 : 206;
    public static final int RECVFROM = X86 ? 45 : 207;
    public static final int SENDMSG = X86 ? 46 : 211;
    public static final int RECVMSG = X86 ? 47 : 212;
    public static final int SHUTDOWN = X86 ? 48 : 210;
    public static final int BIND = X86 ? 49 : 200;
    public static final int LISTEN = X86 ? 50 : 201;
    public static final int GETSOCKNAME = X86 ? 51 : 204;
    public static final int SOCKETPAIR = X86 ? 53 : 199;
    public static final int SETSOCKOPT = X86 ? 54 : 208;
    public static final int GETSOCKOPT = X86 ? 55 : 209;
    public static final int FCNTL = X86 ? 72 : 25;
    public static final int FTRUNCATE = X86 ? 77 : 46;
    public static final int FALLOCATE = X86 ? 285 : 47;
    public static final int GETEUID = X86 ? 107 : 175;
    public static final int GETPPID = X86 ? 110 : 173;
    public static final int FSTATFS = X86 ? 138 : 44;
    public static final int PRCTL = X86 ? 157 : 167;
    public static final int GETTID = X86 ? 186 : 178;
    public static final int SETPRIORITY = X86 ? 141 : 140;
    public static final int SCHED_SETAFFINITY = X86 ? 203 : 122;
    public static final int SCHED_GETAFFINITY = X86 ? 204 : 123;
    public static final int EPOLL_CTL = X86 ? 233 : 21;
    public static final int TGKILL = X86 ? 234 : 131;
    public static final int OPENAT = X86 ? 257 : 56;
    public static final int MKNODAT = X86 ? 259 : 33;
    public static final int PPOLL = X86 ? 271 : 73;
    public static final int UNSHARE = X86 ? 272 : 97;
    public static final int EPOLL_PWAIT = X86 ? 281 : 22;
    public static final int ACCEPT4 = X86 ? 288 : 242;
    public static final int EVENTFD2 = X86 ? 290 : 19;
    public static final int EPOLL_CREATE1 = X86 ? 291 : 20;
    public static final int DUP3 = X86 ? 292 : 24;
    public static final int PIPE2 = X86 ? 293 : 59;
    public static final int SETNS = X86 ? 308 : 268;
    public static final int SECCOMP = X86 ? 317 : 277;
    public static final int MEMFD_CREATE = X86 ? 319 : 279;
    public static final int BPF = X86 ? 321 : 280;
    public static final int IO_URING_SETUP = 425;
    public static final int IO_URING_ENTER = 426;
    public static final int IO_URING_REGISTER = 427;

    private SyscallNumber()
    {
    }

    static boolean isX86()
    {
        final String machine = System.getProperty("os.arch");
        return switch (machine)
        {
            case "amd64", "x86_64" -> true;
            case "aarch64" -> false;
            default -> throw new IllegalStateException("no system call numbers for " + machine);
        };
    }
}
