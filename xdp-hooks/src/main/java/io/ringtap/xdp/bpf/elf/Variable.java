package io.ringtap.xdp.bpf.elf;

/**
 * A global variable of an object.
 *
 * @param map    name of the map that holds it: its section.
 * @param offset where in that map's value.
 * @param size   bytes.
 * @param type   its type in {@link BpfObject#btf()}; 0 when the object does not say.
 */
public record Variable(String name, String map, int offset, int size, int type)
{
}
