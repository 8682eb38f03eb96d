package io.ringtap;

/** How frames cross to the kernel. */
public enum IoMode
{
    /** io_uring where the kernel grants it, plain system calls elsewhere. */
    AUTO,
    /** io_uring or nothing: the start fails where the kernel refuses. */
    URING,
    /** One read or write a frame. */
    SYSCALL
}
