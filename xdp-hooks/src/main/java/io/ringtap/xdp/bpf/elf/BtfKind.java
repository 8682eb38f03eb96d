package io.ringtap.xdp.bpf.elf;

/** Kinds of BTF types; the order is that of linux/btf.h. */
enum BtfKind
{
    /** No type: void. */
    VOID(0, 0),
    INT(4, 0),
    PTR(0, 0),
    ARRAY(12, 0),
    STRUCT(0, 12),
    UNION(0, 12),
    ENUM(0, 8),
    FWD(0, 0),
    TYPEDEF(0, 0),
    VOLATILE(0, 0),
    CONST(0, 0),
    RESTRICT(0, 0),
    FUNC(0, 0),
    FUNC_PROTO(0, 8),
    VAR(4, 0),
    DATASEC(0, 12),
    FLOAT(0, 0),
    DECL_TAG(4, 0),
    TYPE_TAG(0, 0),
    ENUM64(0, 12);

    private static final BtfKind[] ALL = values();

    private final int extra;
    private final int each;

    /**
     * @param extra bytes behind the common part.
     * @param each  bytes of each member behind that.
     */
    BtfKind(final int extra, final int each)
    {
        this.extra = extra;
        this.each = each;
    }

    /** Bytes behind the common part, for so many members. */
    int tail(final int members)
    {
        return extra + each * members;
    }

    boolean hasMembers()
    {
        return each > 0;
    }

    /** Null when nobody knows it: what follows cannot be read then. */
    static BtfKind of(final int number)
    {
        return number < ALL.length ? ALL[number] : null;
    }

    boolean isModifier()
    {
        return TYPEDEF == this || VOLATILE == this || CONST == this || RESTRICT == this || TYPE_TAG == this;
    }

    boolean isComposite()
    {
        return STRUCT == this || UNION == this;
    }
}
