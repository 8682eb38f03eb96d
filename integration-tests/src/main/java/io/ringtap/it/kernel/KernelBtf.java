package io.ringtap.it.kernel;

import io.ringtap.sys.Bpf;
import io.ringtap.sys.Fd;
import io.ringtap.sys.Memory;
import io.ringtap.sys.SyscallException;
import org.agrona.BufferUtil;
import org.agrona.concurrent.UnsafeBuffer;

import java.io.ByteArrayOutputStream;
import java.lang.ref.Reference;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;

/**
 * The least that the kernel wants to be told of types: that callbacks are static functions, and where a value has its
 * spin lock. Written here because our runtime needs none of it.
 */
public final class KernelBtf implements AutoCloseable
{
    /** Bytes of struct bpf_func_info. */
    static final int FUNCTION_RECORD = 8;
    /** Type of 32-bit keys. */
    static final int INT = 1;
    /** Type of a value with a lock, when there is one. */
    static final int VALUE = 5;

    private static final int MAGIC = 0xeb9f;
    private static final int HEADER_LENGTH = 24;
    private static final int KIND_INT = 1;
    private static final int KIND_STRUCT = 4;
    private static final int KIND_FUNC = 12;
    private static final int KIND_FUNC_PROTO = 13;
    private static final int LENGTH = 4096;

    private final ByteBuffer types = ByteBuffer.allocate(LENGTH).order(ByteOrder.LITTLE_ENDIAN);
    private final ByteArrayOutputStream strings = new ByteArrayOutputStream();
    private UnsafeBuffer functions;
    private Fd fd;

    private KernelBtf()
    {
        strings.write(0);
        // 1: int. 2: a function without arguments that returns it.
        type("int", KIND_INT, 0, 4).putInt(1 << 24 | 32);
        type("", KIND_FUNC_PROTO, 0, INT);
    }

    /** For a program whose functions begin at these instructions, the entry first. */
    public static KernelBtf ofFunctions(final int... starts)
    {
        final KernelBtf btf = new KernelBtf();
        btf.functions = new UnsafeBuffer(BufferUtil.allocateDirectAligned(FUNCTION_RECORD * starts.length, 8));
        for (int i = 0; i < starts.length; i++)
        {
            btf.functions.putInt(FUNCTION_RECORD * i, starts[i]);
            btf.functions.putInt(FUNCTION_RECORD * i + 4, 3 + i);
            btf.type("function" + i, KIND_FUNC, 0, 2);
        }
        btf.load();
        return btf;
    }

    /** For a map whose values have a spin lock. */
    public static KernelBtf ofLock(final int valueSize, final int lockOffset)
    {
        final KernelBtf btf = new KernelBtf();
        // 3: u32. 4: the lock. 5: the value.
        btf.type("u32", KIND_INT, 0, 4).putInt(32);
        btf.type("bpf_spin_lock", KIND_STRUCT, 1, 4).putInt(btf.string("val")).putInt(3).putInt(0);
        btf.type("value", KIND_STRUCT, 1, valueSize).putInt(btf.string("lock")).putInt(4).putInt(8 * lockOffset);
        btf.load();
        return btf;
    }

    private ByteBuffer type(final String name, final int kind, final int count, final int sizeOrType)
    {
        return types.putInt(string(name)).putInt(kind << 24 | count).putInt(sizeOrType);
    }

    private int string(final String text)
    {
        if (text.isEmpty())
        {
            return 0;
        }
        final int at = strings.size();
        strings.writeBytes(text.getBytes(StandardCharsets.US_ASCII));
        strings.write(0);
        return at;
    }

    private void load()
    {
        final int length = HEADER_LENGTH + types.position() + strings.size();
        final UnsafeBuffer data = new UnsafeBuffer(BufferUtil.allocateDirectAligned(length, 8));
        data.putShort(0, (short)MAGIC);
        data.putByte(2, (byte)1);
        data.putInt(4, HEADER_LENGTH);
        data.putInt(12, types.position());
        data.putInt(16, types.position());
        data.putInt(20, strings.size());
        data.putBytes(HEADER_LENGTH, types.array(), 0, types.position());
        data.putBytes(HEADER_LENGTH + types.position(), strings.toByteArray());
        final UnsafeBuffer attributes = Bpf.attributes();
        attributes.putLong(0, Memory.addressOf(data));
        attributes.putInt(16, length);
        final long result = Bpf.call(Bpf.BTF_LOAD, attributes);
        Reference.reachabilityFence(data);
        if (result < 0)
        {
            throw new SyscallException("bpf(BPF_BTF_LOAD)", (int)-result, length + " bytes");
        }
        fd = Fd.of((int)result, "BTF");
    }

    int fd()
    {
        return fd.number();
    }

    /** struct bpf_func_info of each function. */
    UnsafeBuffer functions()
    {
        return functions;
    }

    @Override
    public void close()
    {
        fd.close();
    }
}
