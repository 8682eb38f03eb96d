package io.ringtap;

/** A feature that is on, off, or on where a probe says that it pays. */
public enum Switch
{
    /** The probe decides. */
    AUTO,
    /** On. */
    ON,
    /** Off. */
    OFF
}
