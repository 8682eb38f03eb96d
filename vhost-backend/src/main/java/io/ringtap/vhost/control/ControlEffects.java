package io.ringtap.vhost.control;

/** What follows from a command. Each call returns when it is in force: only then is the driver told that it is. */
public interface ControlEffects
{
    /** Which frames the guest is given, where, and with what hash. */
    void receive(ReceiveRules rules);

    /** What the guest takes instead of plain frames: {@link io.ringtap.flow.Offloads} bits. */
    void offloads(int offloads);

    /** The device's address is another one; first byte in the low bits. */
    void address(long mac);

    /**
     * The guest has announced itself.
     *
     * @return whether it had been asked to.
     */
    boolean announced();
}
