package io.ringtap.xdp.bpf.elf;

import io.ringtap.xdp.bpf.AddressSpace;
import io.ringtap.xdp.bpf.BpfMap;

import java.nio.ByteOrder;
import java.util.Map;

/**
 * Writes addresses into global variables that are pointers to others, as {@code const char *names[]}. The kernel's
 * loader leaves them null, since it cannot tell addresses beforehand. Pointers to functions stay null: nothing can
 * call through them.
 */
final class DataPointers
{
    private final BpfObject object;
    private final AddressSpace space;
    private final Map<String, BpfMap> maps;

    DataPointers(final BpfObject object, final AddressSpace space, final Map<String, BpfMap> maps)
    {
        this.object = object;
        this.space = space;
        this.maps = maps;
    }

    void write()
    {
        for (final MapDefinition definition : object.maps())
        {
            final BpfMap map = maps.get(definition.name());
            if (definition.isGlobal() && null != map)
            {
                final ElfSection section = object.elf().sections().get(definition.section());
                object.elf().relocations(section).values().forEach((relocation) -> write(map, relocation));
            }
        }
    }

    private void write(final BpfMap map, final ElfRelocation relocation)
    {
        final int width = switch (relocation.type())
        {
            case ElfRelocation.BPF_64_64, ElfRelocation.BPF_64_ABS64 -> Long.BYTES;
            case ElfRelocation.BPF_64_ABS32, ElfRelocation.BPF_64_32 -> Integer.BYTES;
            default -> 0;
        };
        final MapDefinition definition = object.mapTable().at(relocation.symbol().section(), 0);
        final BpfMap target = null == definition || !definition.isGlobal() ? null : maps.get(definition.name());
        if (0 == width || null == target || relocation.offset() > map.valueSize() - width)
        {
            return;
        }
        final int place = (int)relocation.offset();
        final long inPlace = Long.BYTES == width ?
            map.values().getLong(place, ByteOrder.LITTLE_ENDIAN) :
            map.values().getInt(place, ByteOrder.LITTLE_ENDIAN);
        final long address = space.address(space.handle(target)) + relocation.symbol().value() +
            (relocation.hasAddend() ? relocation.addend() : inPlace);
        if (Long.BYTES == width)
        {
            map.values().putLong(place, address, ByteOrder.LITTLE_ENDIAN);
        }
        else
        {
            map.values().putInt(place, (int)address, ByteOrder.LITTLE_ENDIAN);
        }
    }
}
