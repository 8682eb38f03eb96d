package io.ringtap.sys;

/** Namespace kinds of linux/sched.h. */
public final class Sched
{
    public static final int CLONE_NEWNS = 0x00020000;
    public static final int CLONE_NEWUSER = 0x10000000;
    public static final int CLONE_NEWNET = 0x40000000;

    private Sched()
    {
    }
}
