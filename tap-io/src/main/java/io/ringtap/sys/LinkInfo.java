package io.ringtap.sys;

/**
 * What rtnetlink tells of an interface.
 *
 * @param index  number of the interface.
 * @param name   its name.
 * @param kind   what made it: {@code macvtap}, {@code veth}, {@code tun}; empty for a plain device.
 * @param lower  index of the interface it lies over, 0 for none.
 * @param master index of the bridge or bond it belongs to, 0 for none.
 * @param alias  free text that an administrator or a program left there; empty for none.
 */
public record LinkInfo(int index, String name, String kind, int lower, int master, String alias)
{
}
