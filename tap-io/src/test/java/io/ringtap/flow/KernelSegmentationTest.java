package io.ringtap.flow;

import io.ringtap.RandomSeed;
import io.ringtap.port.NetNamespace;
import io.ringtap.port.PortCounter;
import io.ringtap.port.PortIo;
import io.ringtap.port.TapOptions;
import io.ringtap.port.TapPort;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Random;

import static io.ringtap.flow.TestFrame.assertSame;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

/**
 * The kernel as the judge: super-frames go into one TAP, over a bridge, and come out of another one that takes plain
 * frames only, so the kernel has cut them. What comes out is what was merged, and what our segmenter makes of it.
 */
@ExtendWith(NetNamespace.class)
class KernelSegmentationTest
{
    private final BatchFixture fixture = new BatchFixture();
    private final FrameBatch received = new FrameBatch(fixture.buffer, 64, 64);
    private final long seed = RandomSeed.seed(KernelSegmentationTest.class);
    private final Random random = new Random(seed);
    private TapPort in;
    private TapPort out;

    @BeforeEach
    void open()
    {
        NetNamespace.run("ip", "link", "add", "br0", "type", "bridge", "mcast_snooping", "0");
        NetNamespace.run("ip", "link", "set", "br0", "up");
        in = tap("in0");
        out = tap("out0");
        NetNamespace.awaitForwarding("in0");
        NetNamespace.awaitForwarding("out0");
    }

    private TapPort tap(final String name)
    {
        final TapPort port = TapPort.open(new TapOptions().name(name).bridge("br0").io(PortIo.SYSCALL).mtu(1500),
            fixture.buffer, i -> fixture.fragments);
        port.carrier(true);
        port.receiveOffloads(Offloads.NONE);
        return port;
    }

    @AfterEach
    void close()
    {
        in.close();
        out.close();
        NetNamespace.run("ip", "link", "del", "br0");
        received.close();
        fixture.close();
    }

    /** Sends the batch's ready list and gives what comes out at the other end. */
    private List<byte[]> throughTheKernel(final int expected)
    {
        while (!fixture.batch.isDrained())
        {
            in.queue(0).transmit(fixture.batch);
        }
        in.queue(0).flush();
        final List<byte[]> frames = new ArrayList<>();
        final long deadline = System.nanoTime() + 2_000_000_000L;
        while (frames.size() < expected && System.nanoTime() < deadline)
        {
            out.queue(0).receive(received, 64);
            for (int i = 0; i < received.frames(); i++)
            {
                assertTrue(VnetHeader.fits(fixture.buffer, received.netHeader(i), Offloads.NONE), "a plain frame");
                frames.add(BatchFixture.read(received, i));
            }
            out.queue(0).release(received);
        }
        return frames;
    }

    private TestFrame flow()
    {
        final TestFrame frame = TestFrame.random(random);
        // Global unicast addresses: a bridge does not care, but nothing on the way may take offence.
        frame.addresses[0] = (byte)(frame.isV6 ? 0x20 : 10);
        frame.addresses[frame.isV6 ? 16 : 4] = (byte)(frame.isV6 ? 0x20 : 10);
        frame.ttl = 64;
        frame.payload = Arrays.copyOf(frame.payload, 1 + random.nextInt(random.nextBoolean() ? 100 : 1300));
        return frame;
    }

    @Test
    void shouldSeeTheKernelGiveBackWhatWasMerged()
    {
        int merged = 0;
        for (int n = 0; n < 300; n++)
        {
            final List<byte[]> sent = new ArrayList<>();
            TestFrame frame = flow();
            final int count = 2 + random.nextInt(40);
            for (int i = 0; i < count; i++)
            {
                final boolean isLast = i == count - 1;
                frame.flags |= isLast && frame.isTcp ? TestFrame.PSH : 0;
                frame.payload = isLast ? Arrays.copyOf(frame.payload, 1 + frame.payload.length / 2) : frame.payload;
                fixture.add(frame, random.nextBoolean());
                sent.add(frame.bytes());
                frame = frame.next();
            }
            merged += fixture.coalescer.coalesce(fixture.batch, in.transmitOffloads());
            final List<byte[]> got = throughTheKernel(count);
            assertEquals(count, got.size(), "seed " + seed + " round " + n);
            for (int i = 0; i < count; i++)
            {
                assertSame(sent.get(i), got.get(i));
            }
            // The port that receives keeps fragments at hand.
            fixture.releaseAll();
        }
        assertTrue(merged > 300, "merged " + merged);
    }

    @Test
    void shouldCutAsTheKernelDoes()
    {
        for (int n = 0; n < 300; n++)
        {
            final TestFrame frame = flow();
            final int size = frame.payload.length;
            frame.payload = new byte[size * (2 + random.nextInt(20)) + random.nextInt(size)];
            random.nextBytes(frame.payload);
            frame.flags = TestFrame.ACK | random.nextInt(256) & ~(TestFrame.SYN | TestFrame.RST);
            final byte[] bytes = frame.partialBytes();
            final int i = fixture.addRaw(bytes, Math.min(bytes.length, 200 + random.nextInt(2000)));
            final int type = !frame.isTcp ? VnetHeader.GSO_UDP_L4 :
                (frame.isV6 ? VnetHeader.GSO_TCPV6 : VnetHeader.GSO_TCPV4) |
                ((frame.flags & TestFrame.CWR) != 0 ? VnetHeader.GSO_ECN : 0);
            VnetHeader.superFrame(fixture.buffer, fixture.batch.netHeader(i), type, size, frame.headers(),
                frame.transport(), frame.checksumField() - frame.transport());
            assertEquals(VnetFault.OK,
                VnetHeader.validate(fixture.buffer, fixture.batch.netHeader(i), bytes.length, Offloads.ALL));
            final int count = fixture.segmenter.segment(fixture.batch, i, fixture.plain, Offloads.NONE);
            final List<byte[]> got = throughTheKernel(count);
            assertEquals(count, got.size(), "seed " + seed + " round " + n);
            for (int k = 0; k < count; k++)
            {
                assertSame(got.get(k), BatchFixture.read(fixture.plain, k));
            }
            // The port that receives keeps fragments at hand.
            fixture.releaseAll();
        }
    }

    @Test
    void shouldFragmentAsTheKernelDoes()
    {
        for (int n = 0; n < 50; n++)
        {
            final TestFrame frame = TestFrame.udp(3000 + random.nextInt(3000));
            frame.addresses[4] = 11;
            random.nextBytes(frame.payload);
            final byte[] bytes = frame.partialBytes();
            final int i = fixture.addRaw(bytes, 1000);
            VnetHeader.superFrame(fixture.buffer, fixture.batch.netHeader(i), VnetHeader.GSO_UDP,
                8 * (100 + random.nextInt(80)), frame.headers(), frame.transport(), 6);
            final int count = fixture.segmenter.segment(fixture.batch, i, fixture.plain, Offloads.NONE);
            final List<byte[]> got = throughTheKernel(count);
            assertEquals(count, got.size(), "seed " + seed + " round " + n);
            for (int k = 0; k < count; k++)
            {
                assertSame(got.get(k), BatchFixture.read(fixture.plain, k));
            }
            fixture.releaseAll();
        }
    }

    @Test
    void shouldLetNoNetHeaderThroughThatTheKernelRefuses()
    {
        out.carrier(false);
        int sent = 0;
        for (int n = 0; n < 40_000; n++)
        {
            final TestFrame frame = TestFrame.random(random);
            frame.payload = Arrays.copyOf(frame.payload, random.nextInt(1500));
            final int header = fixture.batch.netHeader(fixture.add(frame));
            randomHeader(header, frame.transport());
            final int length = frame.headers() + frame.payload.length;
            if (VnetFault.OK == VnetHeader.validate(fixture.buffer, header, length, Offloads.ALL))
            {
                in.queue(0).transmit(fixture.batch);
                final String said = "seed " + seed + " round " + n + " header of type " +
                    VnetHeader.gsoType(fixture.buffer, header) + " length " + length;
                assertEquals(0, in.queue(0).counters().get(PortCounter.TX_REJECTED), said);
                sent++;
            }
            fixture.releaseAll();
        }
        assertTrue(sent > 5000, "sent " + sent);
    }

    private void randomHeader(final int header, final int transport)
    {
        final int[] types = { 0, 1, 4, 5, 0x81, 0x84, 3 };
        final int type = types[random.nextInt(types.length)];
        final int[] starts = { transport, random.nextInt(80), random.nextInt(2000) };
        final int[] offsets = { 16, 6, random.nextInt(40) };
        VnetHeader.superFrame(fixture.buffer, header, type, random.nextInt(random.nextBoolean() ? 20 : 2000),
            random.nextInt(100), starts[random.nextInt(3)], offsets[random.nextInt(3)]);
        // UFO with a complete checksum is what the specification allows and Linux 6 refuses.
        final boolean begun = VnetHeader.GSO_UDP == type || random.nextInt(4) != 0;
        fixture.buffer.putByte(header, (byte)(begun ? VnetHeader.NEEDS_CSUM : random.nextInt(16) & ~1));
    }
}
