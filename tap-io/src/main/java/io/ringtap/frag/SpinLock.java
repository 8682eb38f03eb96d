package io.ringtap.frag;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;

/** Keeps the lock's word off the line of whatever lies before it. */
abstract class SpinLockLeadingPad
{
    byte p000, p001, p002, p003, p004, p005, p006, p007, p008, p009, p010, p011, p012, p013, p014, p015;
    byte p016, p017, p018, p019, p020, p021, p022, p023, p024, p025, p026, p027, p028, p029, p030, p031;
    byte p032, p033, p034, p035, p036, p037, p038, p039, p040, p041, p042, p043, p044, p045, p046, p047;
    byte p048, p049, p050, p051, p052, p053, p054, p055, p056, p057, p058, p059, p060, p061, p062, p063;
}

/** The lock's word. */
abstract class SpinLockWord extends SpinLockLeadingPad
{
    int word;
}

/** Keeps the lock's word off the line of whatever lies behind it. */
abstract class SpinLockTrailingPad extends SpinLockWord
{
    byte p100, p101, p102, p103, p104, p105, p106, p107, p108, p109, p110, p111, p112, p113, p114, p115;
    byte p116, p117, p118, p119, p120, p121, p122, p123, p124, p125, p126, p127, p128, p129, p130, p131;
    byte p132, p133, p134, p135, p136, p137, p138, p139, p140, p141, p142, p143, p144, p145, p146, p147;
    byte p148, p149, p150, p151, p152, p153, p154, p155, p156, p157, p158, p159, p160, p161, p162, p163;
}

/**
 * A lock for sections of a few instructions: test, then test and set.
 * <p>
 * Waiters read a shared copy of the line and only try to own it when it looks free, so that the holder's release is not
 * slowed by them. After {@link #SPINS} looks a waiter gives up its processor: with more workers than cores the holder
 * may be waiting for just that. Not fair, not reentrant.
 */
public final class SpinLock extends SpinLockTrailingPad
{
    /** Looks before a waiter yields: a few microseconds, many times what a section takes. */
    static final int SPINS = 256;

    private static final int FREE = 0;
    private static final int HELD = 1;
    private static final VarHandle WORD;

    static
    {
        try
        {
            WORD = MethodHandles.lookup().findVarHandle(SpinLockWord.class, "word", int.class);
        }
        catch (final ReflectiveOperationException ex)
        {
            throw new ExceptionInInitializerError(ex);
        }
    }

    /** Waits until the lock is ours. Pairs with {@link #unlock()}: what the last holder wrote is seen. */
    public void lock()
    {
        while (!tryLock())
        {
            awaitFree();
        }
    }

    public boolean tryLock()
    {
        return (int)WORD.getOpaque(this) == FREE && WORD.weakCompareAndSetAcquire(this, FREE, HELD);
    }

    /** Only by the holder. */
    public void unlock()
    {
        WORD.setRelease(this, FREE);
    }

    public boolean isHeld()
    {
        return (int)WORD.getAcquire(this) == HELD;
    }

    private void awaitFree()
    {
        int spins = SPINS;
        while ((int)WORD.getOpaque(this) != FREE)
        {
            if (--spins == 0)
            {
                Thread.yield();
                spins = SPINS;
            }
            else
            {
                Thread.onSpinWait();
            }
        }
    }
}
