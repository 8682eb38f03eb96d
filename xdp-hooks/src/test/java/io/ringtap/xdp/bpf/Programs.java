package io.ringtap.xdp.bpf;

import io.ringtap.xdp.FrameView;
import org.agrona.concurrent.UnsafeBuffer;

import java.nio.ByteBuffer;

/** Programs and frames that several tests use. */
final class Programs
{
    /** Bytes before and behind a test's frame in its slot. */
    static final int HEADROOM = 256;
    static final int TAILROOM = 64;

    private Programs()
    {
    }

    /** Drops UDP over IPv4 to port 9999, as clang writes it; passes the rest. */
    static long[] dropPort()
    {
        return Assembler.assemble("""
            ldxw %r2, [%r1+4]
            ldxw %r1, [%r1+0]
            mov %r0, 2
            mov %r3, %r1
            add %r3, 14
            jgt %r3, %r2, exit
            ldxb %r3, [%r1+12]
            ldxb %r4, [%r1+13]
            lsh %r4, 8
            or %r4, %r3
            jne %r4, 8, exit
            mov %r3, %r1
            add %r3, 34
            jgt %r3, %r2, exit
            ldxb %r4, [%r1+14]
            and %r4, 15
            lsh %r4, 2
            jlt %r4, 20, exit
            ldxb %r3, [%r1+23]
            jne %r3, 17, exit
            add %r1, 14
            add %r1, %r4
            mov %r3, %r1
            add %r3, 8
            jgt %r3, %r2, exit
            ldxh %r1, [%r1+2]
            mov %r0, 1
            jeq %r1, 0x0f27, exit
            mov %r0, 2
            exit
            """);
    }

    /** Sums the frame's first words of 16 bits in a loop, and drops it when the sum is odd. */
    static long[] sum(final int words)
    {
        return Assembler.assemble("""
            ldxw %r3, [%r1+4]
            ldxw %r2, [%r1+0]
            mov %r0, 0
            mov %r4, 0
            again:
            mov %r5, %r2
            add %r5, 2
            jgt %r5, %r3, done
            ldxh %r1, [%r2+0]
            add %r0, %r1
            mov %r2, %r5
            add %r4, 1
            jlt %r4, WORDS, again
            done:
            and %r0, 1
            xor %r0, 2
            exit
            """.replace("WORDS", String.valueOf(words)));
    }

    /** Swaps the addresses of Ethernet in a function of its own, and sends the frame back. */
    static long[] swap()
    {
        return Assembler.assemble("""
            ldxw %r3, [%r1+4]
            ldxw %r1, [%r1+0]
            mov %r0, 1
            mov %r2, %r1
            add %r2, 14
            jgt %r2, %r3, out
            call local swap
            mov %r0, 3
            out:
            exit
            swap:
            ldxw %r2, [%r1+0]
            ldxh %r3, [%r1+4]
            ldxw %r4, [%r1+6]
            ldxh %r5, [%r1+10]
            stxw [%r1+0], %r4
            stxh [%r1+4], %r5
            stxw [%r1+6], %r2
            stxh [%r1+10], %r3
            mov %r0, 0
            exit
            """);
    }

    static BpfProgram verified(final String name, final long... code)
    {
        return Verifier.verify(ProgramText.of(name, code), HelperSet.NONE);
    }

    /** A frame in a slot with room on both sides. */
    static FrameView frame(final byte[] bytes)
    {
        final int length = HEADROOM + bytes.length + TAILROOM;
        final UnsafeBuffer slot = new UnsafeBuffer(ByteBuffer.allocateDirect(length));
        slot.putBytes(HEADROOM, bytes);
        final FrameView view = new FrameView();
        view.wrap(slot, FrameView.FROM_GUEST, 0);
        view.frame(0, length, HEADROOM, bytes.length, bytes.length);
        return view;
    }

    /** Ethernet, IPv4 and UDP to a port, 64 bytes. */
    static byte[] udp(final int port)
    {
        final byte[] bytes = new byte[64];
        bytes[12] = 8;
        bytes[14] = 0x45;
        bytes[23] = 17;
        bytes[36] = (byte)(port >> 8);
        bytes[37] = (byte)port;
        return bytes;
    }
}
