package io.ringtap.port;

/** How a queue crosses to the kernel. */
public enum PortIo
{
    /** io_uring where the kernel grants it, plain system calls elsewhere. */
    AUTO,
    /** io_uring or nothing: opening fails where the kernel refuses. */
    URING,
    /** One read or write a frame. */
    SYSCALL
}
