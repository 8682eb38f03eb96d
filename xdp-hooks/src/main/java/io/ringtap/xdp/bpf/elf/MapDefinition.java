package io.ringtap.xdp.bpf.elf;

import io.ringtap.xdp.bpf.map.MapSpec;

import java.util.Map;

/**
 * A map as the object declares it, before it is made.
 *
 * @param spec      what to make; {@code maxEntries} is 0 where the object leaves it to the loader.
 * @param isGlobal  whether it holds global variables: .data, .bss, .rodata.
 * @param isPinned  whether the kernel's loader would share it by a file of /sys/fs/bpf. Here each object has its own.
 * @param keyType   its type in {@link BpfObject#btf()}; 0 when the object does not say.
 * @param valueType the same for values; for maps of global variables their section.
 * @param section   number of the section that it is declared in.
 * @param offset    where in that section.
 * @param initial   for maps of maps and PROG_ARRAY: names of maps or programs by index.
 * @param complaint why it cannot be made; null when it may be tried.
 */
public record MapDefinition(
    MapSpec spec,
    boolean isGlobal,
    boolean isPinned,
    int keyType,
    int valueType,
    int section,
    long offset,
    Map<Integer, String> initial,
    String complaint)
{
    /** Keeps a copy. */
    public MapDefinition
    {
        initial = Map.copyOf(initial);
    }

    public String name()
    {
        return spec.name();
    }

    /** The same with another number of entries. */
    MapDefinition withEntries(final int entries)
    {
        return with(spec.withMaxEntries(entries));
    }

    /** The same, made of another specification. */
    MapDefinition with(final MapSpec other)
    {
        return new MapDefinition(other, isGlobal, isPinned, keyType, valueType, section, offset, initial, complaint);
    }
}
