package io.ringtap.xdp.bpf.elf;

import java.util.Arrays;
import java.util.HashMap;
import java.util.Map;

/**
 * The C types of an object, by number; 0 is void.
 * <pre>
 * header                          type, 12 bytes                  behind it, by kind
 *  0 magic, 2 version, 3 flags     0 name                          INT     encoding, bits
 *  4 its length                    4 members (16 bits), kind       ARRAY   element, index, count
 *  8 types: where, length            (bits 24 to 28), flag (31)    STRUCT  name, type, bit (24), bits (8), each
 * 16 strings: where, length        8 size or another type          DATASEC variable, offset, size, each
 * </pre>
 */
public final class Btf
{
    private static final int MAGIC = 0xeb9f;
    private static final int VERSION = 1;
    private static final int HEADER_LENGTH = 24;
    private static final int TYPE_LENGTH = 12;
    private static final int POINTER_BYTES = 8;
    /** PATH_MAX of linux/limits.h. */
    private static final int MAX_PATH = 4096;
    private static final int SIGNED = 1;
    private static final int CHAR = 2;
    private static final int BOOL = 4;

    private final FileBytes types;
    private final FileBytes strings;
    /** By type: where it begins. */
    private final int[] places;
    private final Map<Long, String> lines = new HashMap<>();
    private Map<String, Integer> sections;

    private Btf(final FileBytes section)
    {
        if (MAGIC != section.u16(0) || VERSION != section.u8(2))
        {
            throw new ObjectException(".BTF: magic 0x" + Integer.toHexString(section.u16(0)) + " and version " +
                section.u8(2) + ", must be 0xeb9f and " + VERSION);
        }
        final long header = section.u32(4);
        if (header < HEADER_LENGTH)
        {
            throw new ObjectException(".BTF: header of " + header + " bytes, must be " + HEADER_LENGTH + " at least");
        }
        types = section.slice(header + section.u32(8), section.u32(12), "types of .BTF");
        strings = section.slice(header + section.u32(16), section.u32(20), "strings of .BTF");
        places = places();
    }

    /** Reads the types of a .BTF section. */
    static Btf parse(final FileBytes section)
    {
        return new Btf(section);
    }

    private int[] places()
    {
        int[] found = new int[64];
        int count = 1;
        int at = 0;
        while (at < types.length())
        {
            if (count > ObjectLimits.TYPES)
            {
                throw new ObjectException(".BTF: more than " + ObjectLimits.TYPES + " types");
            }
            if (count == found.length)
            {
                found = Arrays.copyOf(found, 2 * count);
            }
            final int info = types.i32(at + 4L);
            final BtfKind kind = BtfKind.of(info >>> 24 & 0x1f);
            if (null == kind || BtfKind.VOID == kind)
            {
                throw new ObjectException(".BTF: type " + count + " is of the unknown kind " + (info >>> 24 & 0x1f));
            }
            found[count++] = at;
            types.slice(at, TYPE_LENGTH + kind.tail(info & 0xffff), "type " + (count - 1) + " of .BTF");
            at += TYPE_LENGTH + kind.tail(info & 0xffff);
        }
        return Arrays.copyOf(found, count);
    }

    /** How many types there are, void included. */
    int count()
    {
        return places.length;
    }

    BtfKind kind(final int type)
    {
        return 0 == type ? BtfKind.VOID : BtfKind.of(types.i32(place(type) + 4L) >>> 24 & 0x1f);
    }

    /** Empty for void and types without a name. */
    String name(final int type)
    {
        return 0 == type ? "" : string(types.u32(place(type)));
    }

    /** Members of a struct, parameters of a function, variables of a section, constants of an enum. */
    int members(final int type)
    {
        return kind(type).hasMembers() ? types.i32(place(type) + 4L) & 0xffff : 0;
    }

    /** For types made of another: that. */
    int target(final int type)
    {
        return types.i32(place(type) + 8L);
    }

    String memberName(final int type, final int member)
    {
        return string(types.u32(memberPlace(type, member)));
    }

    int memberType(final int type, final int member)
    {
        return types.i32(memberPlace(type, member) + 4L);
    }

    /** Where a member of a struct begins, in bits. */
    long memberBit(final int type, final int member)
    {
        final long offset = types.u32(memberPlace(type, member) + 8L);
        return hasFlag(type) ? offset & 0xff_ffff : offset;
    }

    /** How many bits a bit field has; 0 for other members. */
    int memberBits(final int type, final int member)
    {
        return hasFlag(type) ? types.i32(memberPlace(type, member) + 8L) >>> 24 : 0;
    }

    /** The variable of a section. */
    int variable(final int section, final int member)
    {
        return types.i32(memberPlace(section, member));
    }

    /** Where a variable is said to be; compilers leave that to symbols. */
    long variableOffset(final int section, final int member)
    {
        return types.u32(memberPlace(section, member) + 4L);
    }

    long variableSize(final int section, final int member)
    {
        return types.u32(memberPlace(section, member) + 8L);
    }

    /** The value of an enum's constant. */
    long constant(final int type, final int member)
    {
        final long at = memberPlace(type, member);
        if (BtfKind.ENUM64 == kind(type))
        {
            return types.u32(at + 4) | types.u32(at + 8) << 32;
        }
        return hasFlag(type) ? types.i32(at + 4) : types.u32(at + 4);
    }

    int element(final int array)
    {
        return types.i32(place(array) + (long)TYPE_LENGTH);
    }

    long elements(final int array)
    {
        return types.u32(place(array) + TYPE_LENGTH + 8L);
    }

    boolean isSigned(final int type)
    {
        return BtfKind.INT == kind(type) ? (encoding(type) & SIGNED) != 0 : hasFlag(type);
    }

    boolean isChar(final int type)
    {
        // clang says so by name only. Arrays of unsigned characters are bytes: addresses, mostly.
        return (encoding(type) & CHAR) != 0 || "char".equals(name(type));
    }

    boolean isBool(final int type)
    {
        return (encoding(type) & BOOL) != 0;
    }

    /** The type behind names and qualifiers. */
    int resolve(final int type)
    {
        int at = type;
        for (int depth = 0; depth < ObjectLimits.TYPE_DEPTH; depth++)
        {
            if (!kind(at).isModifier())
            {
                return at;
            }
            at = target(at);
        }
        throw tooDeep(type);
    }

    /** Bytes of a type, at most {@link ObjectLimits#TYPE_BYTES}. */
    int size(final int type)
    {
        long count = 1;
        int at = type;
        for (int depth = 0; depth < ObjectLimits.TYPE_DEPTH; depth++)
        {
            at = resolve(at);
            if (BtfKind.VAR == kind(at))
            {
                at = target(at);
            }
            else if (BtfKind.ARRAY == kind(at))
            {
                // Both factors have 32 bits at most before each multiplication.
                count = size(type, count, elements(at));
                at = element(at);
            }
            else
            {
                return size(type, count, elementSize(at));
            }
        }
        throw tooDeep(type);
    }

    private int size(final int type, final long count, final long each)
    {
        final long size = count * each;
        if (size > ObjectLimits.TYPE_BYTES)
        {
            throw new ObjectException(".BTF: type " + type + " " + name(type) + " has " + size + " bytes, must be " +
                ObjectLimits.TYPE_BYTES + " at most");
        }
        return (int)size;
    }

    private long elementSize(final int type)
    {
        return switch (kind(type))
        {
            case INT, STRUCT, UNION, ENUM, ENUM64, FLOAT, DATASEC -> types.u32(place(type) + 8L);
            case PTR -> POINTER_BYTES;
            default -> 0;
        };
    }

    /** The variables of a section, by the section's name; 0 when there are none. */
    int section(final String name)
    {
        if (null == sections)
        {
            final Map<String, Integer> found = new HashMap<>();
            for (int type = 1; type < places.length; type++)
            {
                if (BtfKind.DATASEC == kind(type))
                {
                    found.putIfAbsent(name(type), type);
                }
            }
            sections = found;
        }
        return sections.getOrDefault(name, 0);
    }

    /** The text at an offset, as .BTF.ext names it. */
    String string(final long offset)
    {
        return 0 == offset && 0 == strings.length() ? "" : strings.text(offset, ObjectLimits.NAME);
    }

    /** The name of a source file, without the directory of whoever compiled it. */
    synchronized String file(final long offset)
    {
        return lines.computeIfAbsent(offset, (at) ->
        {
            final String path = strings.text(at, MAX_PATH);
            return path.substring(path.lastIndexOf('/') + 1);
        });
    }

    /** A source line, cut where it is longer than what anybody reads; programs share the text. */
    synchronized String line(final long offset)
    {
        return lines.computeIfAbsent(offset, (at) -> strings.cut(at, ObjectLimits.LINE_TEXT));
    }

    private int encoding(final int type)
    {
        return BtfKind.INT == kind(type) ? types.i32(place(type) + (long)TYPE_LENGTH) >>> 24 & 0xf : 0;
    }

    private boolean hasFlag(final int type)
    {
        return types.i32(place(type) + 4L) < 0;
    }

    private int place(final int type)
    {
        if (type < 1 || type >= places.length)
        {
            throw new ObjectException(".BTF: type " + type + " is none of 1 to " + (places.length - 1));
        }
        return places[type];
    }

    private int memberPlace(final int type, final int member)
    {
        final int count = members(type);
        if (member < 0 || member >= count)
        {
            throw new ObjectException(".BTF: type " + type + " has no member " + member + " of " + count);
        }
        final BtfKind kind = kind(type);
        return place(type) + TYPE_LENGTH + member * (kind.tail(1) - kind.tail(0));
    }

    private static ObjectException tooDeep(final int type)
    {
        return new ObjectException(".BTF: type " + type + " is nested deeper than " + ObjectLimits.TYPE_DEPTH);
    }
}
