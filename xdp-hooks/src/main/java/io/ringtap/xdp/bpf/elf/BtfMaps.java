package io.ringtap.xdp.bpf.elf;

import io.ringtap.xdp.bpf.MapKind;
import io.ringtap.xdp.bpf.map.MapSpec;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * Reads declarations of maps in a .maps section: variables whose types say everything.
 * <p>
 * A number is the length of an array that a member points to ({@code __uint}), a type what a member points to
 * ({@code __type}), and members of {@code values} stand for initial entries, which relocations name.
 */
final class BtfMaps
{
    private static final int POINTER_BYTES = 8;

    private final ElfFile elf;
    private final Btf btf;
    private final ElfSection section;
    private final SymbolPlaces places;

    BtfMaps(final ElfFile elf, final Btf btf, final ElfSection section, final SymbolPlaces places)
    {
        this.elf = elf;
        this.btf = btf;
        this.section = section;
        this.places = places;
    }

    /** All maps that the section declares. */
    List<MapDefinition> read()
    {
        final int types = btf.section(section.name());
        if (btf.members(types) > ObjectLimits.MAPS)
        {
            throw new ObjectException(btf.members(types) + " maps, must be " + ObjectLimits.MAPS + " at most");
        }
        final List<MapDefinition> maps = new ArrayList<>();
        for (int i = 0; i < btf.members(types); i++)
        {
            final int variable = btf.variable(types, i);
            final String name = btf.name(variable);
            try
            {
                final long offset = places.of(section, name, btf.variableOffset(types, i));
                maps.add(read(name, btf.resolve(btf.target(variable)), offset));
            }
            catch (final ObjectException failure)
            {
                throw failure.in("map " + name);
            }
        }
        return maps;
    }

    private MapDefinition read(final String name, final int type, final long offset)
    {
        final Members members = new Members(name, 0);
        members.read(type);
        return new MapDefinition(members.spec(), false, 0 != members.pinning, members.keyType, members.valueType,
            section.index(), offset, initial(members, offset), members.complaint());
    }

    /** Names of maps or programs that relocations put into the values behind the declaration. */
    private Map<Integer, String> initial(final Members members, final long offset)
    {
        final Map<Integer, String> initial = new HashMap<>();
        if (members.valuesOffset < 0)
        {
            return initial;
        }
        final long start = offset + members.valuesOffset;
        final long end = Math.min(section.size(), offset + places.size(section, offset));
        elf.relocations(section).forEach((place, relocation) ->
        {
            if (place >= start && place < end && (place - start) % POINTER_BYTES == 0)
            {
                initial.put((int)(place - start) / POINTER_BYTES, name(place, relocation));
            }
        });
        return initial;
    }

    /** What an entry points to; static things are named by their section and an offset. */
    private String name(final long place, final ElfRelocation relocation)
    {
        final ElfSymbol symbol = relocation.symbol();
        final ElfSection target = elf.sectionOf(symbol);
        if (ElfSymbol.SECTION != symbol.type() || null == target)
        {
            return symbol.name();
        }
        final long addend = relocation.hasAddend() ? relocation.addend() : section.content().i64(place);
        final ElfSymbol named = places.in(target).get(symbol.value() + addend);
        return null == named ? target.name() + "+" + addend : named.name();
    }

    /** The members of one declaration. */
    private final class Members
    {
        private final String name;
        private final int depth;
        private long kind;
        private long keySize;
        private long valueSize;
        private long maxEntries;
        private long flags;
        private long extra;
        private long pinning;
        private int keyType;
        private int valueType;
        private long valuesOffset = -1;
        private Members inner;

        private Members(final String name, final int depth)
        {
            this.name = name;
            this.depth = depth;
        }

        private void read(final int type)
        {
            if (BtfKind.STRUCT != btf.kind(type))
            {
                throw new ObjectException("declared as " + btf.kind(type) + ", must be a struct; see SEC(\".maps\")");
            }
            if (btf.members(type) > ObjectLimits.MAP_MEMBERS)
            {
                throw new ObjectException("declared with " + btf.members(type) + " members, must be " +
                    ObjectLimits.MAP_MEMBERS + " at most");
            }
            for (int i = 0; i < btf.members(type); i++)
            {
                read(btf.memberName(type, i), btf.memberType(type, i), btf.memberBit(type, i) / 8);
            }
        }

        private void read(final String member, final int type, final long offset)
        {
            switch (member)
            {
                case "type" -> kind = number(member, type);
                case "key_size" -> keySize = number(member, type);
                case "value_size" -> valueSize = number(member, type);
                case "max_entries" -> maxEntries = number(member, type);
                case "map_flags" -> flags = number(member, type);
                case "map_extra" -> extra = number(member, type);
                case "pinning" -> pinning = number(member, type);
                // A hint to the kernel's allocator.
                case "numa_node" -> number(member, type);
                case "key" ->
                {
                    keyType = pointee(member, type);
                    keySize = btf.size(keyType);
                }
                case "value" ->
                {
                    valueType = pointee(member, type);
                    valueSize = btf.size(valueType);
                }
                case "values" -> values(type, offset);
                default -> throw new ObjectException("member " + member + " is not known");
            }
        }

        private void values(final int type, final long offset)
        {
            final int array = btf.resolve(type);
            final int each = BtfKind.ARRAY == btf.kind(array) ? pointee("values", btf.element(array)) : 0;
            if (BtfKind.FUNC_PROTO != btf.kind(btf.resolve(each)))
            {
                if (depth > 0)
                {
                    throw new ObjectException("maps of maps of maps do not exist");
                }
                inner = new Members(name + ".inner", depth + 1);
                inner.read(btf.resolve(each));
            }
            valuesOffset = offset;
            keySize = 0 == keySize ? Integer.BYTES : keySize;
            valueSize = Integer.BYTES;
        }

        private int pointee(final String member, final int type)
        {
            final int pointer = btf.resolve(type);
            if (BtfKind.PTR != btf.kind(pointer))
            {
                throw new ObjectException("member " + member + " is " + btf.kind(pointer) + ", must be a pointer");
            }
            return btf.target(pointer);
        }

        private long number(final String member, final int type)
        {
            final int at = btf.resolve(type);
            if ((BtfKind.ENUM == btf.kind(at) || BtfKind.ENUM64 == btf.kind(at)) && 1 == btf.members(at))
            {
                return btf.constant(at, 0);
            }
            final int array = btf.resolve(pointee(member, type));
            if (BtfKind.ARRAY == btf.kind(array))
            {
                return btf.elements(array);
            }
            throw new ObjectException("member " + member + " is " + btf.kind(array) + ", must be a number (__uint)");
        }

        private MapSpec spec()
        {
            return new MapSpec(name, MapKind.of((int)kind), (int)keySize, (int)valueSize, (int)maxEntries, (int)flags,
                extra, null == inner ? null : inner.spec(), null, lock());
        }

        /** Where a value has its lock: one member of the value's struct, as the kernel wants it. */
        private int lock()
        {
            final int type = btf.resolve(valueType);
            for (int i = 0; BtfKind.STRUCT == btf.kind(type) && i < btf.members(type); i++)
            {
                final int member = btf.resolve(btf.memberType(type, i));
                if (BtfKind.STRUCT == btf.kind(member) && "bpf_spin_lock".equals(btf.name(member)))
                {
                    return (int)(btf.memberBit(type, i) / 8);
                }
            }
            return MapSpec.NO_LOCK;
        }

        private String complaint()
        {
            final String complaint = MapNumbers.complaint(kind, keySize, valueSize, maxEntries, flags);
            return null != complaint || null == inner ? complaint : inner.complaint();
        }
    }
}
