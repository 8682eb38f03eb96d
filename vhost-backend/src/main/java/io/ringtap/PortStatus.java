package io.ringtap;

/**
 * A NIC of a process as it is now.
 *
 * @param name    what it is called.
 * @param state   how it is.
 * @param config  what it was made from.
 * @param backend null unless it serves.
 * @param failure why it does not serve; null while it does.
 */
public record PortStatus(String name, PortState state, BackendConfig config, Backend backend, String failure)
{
}
