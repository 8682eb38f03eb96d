package io.ringtap.xdp.bpf.elf;

import org.agrona.DirectBuffer;

/**
 * Bytes as values of a C type, both ways: trees as JSON has them, and text as people type it.
 * <p>
 * A tree is made of {@link java.util.Map} (structs and unions), {@link java.util.List} (arrays), {@link Number},
 * {@link Boolean} and {@link String}: names of enum constants, arrays of characters, pointers, and bytes in hex where
 * no type is known. Numbers of the types {@code __be16}, {@code __be32} and {@code __be64} are those that they mean.
 */
public final class BtfValue
{
    private final Btf btf;
    private final int type;
    private final int size;

    private BtfValue(final Btf btf, final int type, final int size)
    {
        this.btf = btf;
        this.type = type;
        this.size = size;
    }

    /**
     * Values of a type.
     *
     * @param btf  null when there is none.
     * @param type its number; 0 for bytes of which nothing is known.
     * @param size bytes of a value; a type that has another size is not used.
     */
    public static BtfValue of(final Btf btf, final int type, final int size)
    {
        final boolean fits = null != btf && type > 0 && btf.size(type) == size;
        return new BtfValue(btf, fits ? type : 0, size);
    }

    /** Bytes of a value. */
    public int size()
    {
        return size;
    }

    /**
     * The value that begins at an index.
     *
     * @throws ObjectException when it has too many parts to be shown.
     */
    public Object tree(final DirectBuffer buffer, final int index)
    {
        buffer.boundsCheck(index, size);
        return 0 == type ? BtfReader.hex(buffer, index, size) :
            new BtfReader(btf, buffer, index + size).read(type, index);
    }

    /**
     * Bytes of a value that somebody typed: a number, a name of an enum, {@code field=value,field.field=value} or
     * {@code [index]=value} with zeros for the rest, bytes as {@code 0a 00 00 01} or {@code hex:0a000001}, and for
     * bytes and big-endian numbers addresses as {@code 10.0.0.1}, {@code fe80::1} and {@code 52:54:00:12:34:56}.
     *
     * @throws ObjectException naming the word that is wrong.
     */
    public byte[] parse(final String text)
    {
        return new BtfWriter(btf, size).write(type, text.strip());
    }
}
