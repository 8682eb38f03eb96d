package io.ringtap;

/**
 * What a process gives up after its start.
 *
 * @param sandbox filter its system calls; auto: where the kernel can.
 * @param runAs   {@code USER} or {@code USER:GROUP} to become once all ports are open; null stays.
 */
public record Isolation(Switch sandbox, String runAs)
{
    /** The safe choice where it can be had. */
    public static final Isolation DEFAULT = new Isolation(Switch.AUTO, null);
}
