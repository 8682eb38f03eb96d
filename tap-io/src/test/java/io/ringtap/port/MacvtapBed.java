package io.ringtap.port;

import io.ringtap.sys.Sched;
import io.ringtap.sys.Syscalls;

import java.nio.file.Files;
import java.nio.file.Path;

/** A macvtap that the port makes over one end of a virtual cable. */
final class MacvtapBed extends VethBed
{
    /** The address that the frames of tests go to, first byte in the low bits. */
    static final long MAC = 0x0100_0000_0006L;

    MacvtapBed()
    {
        // Frames of tests go to one address in both directions: only in this mode is it neither sought nor hidden.
        super((mtu) -> open(new TapOptions().name(NEAR).mtu(mtu), MacvtapMode.PASSTHRU));
    }

    static PortRig open(final TapOptions options, final MacvtapMode mode)
    {
        return new PortRig(64, (arena, allocator) ->
            MacvtapPort.open(options.batch(PortRig.BATCH), mode, arena.buffer(), (i) -> allocator));
    }

    /** Gives the calling thread a sysfs that shows its own network namespace, as ip netns exec does. */
    static void mountSysfs()
    {
        if (!Files.exists(Path.of("/sys/class/net/" + NEAR)))
        {
            Syscalls.unshare(Sched.CLONE_NEWNS);
            NetNamespace.run("mount", "--make-rprivate", "/");
            NetNamespace.run("mount", "-t", "sysfs", "sysfs", "/sys");
        }
    }

    @Override
    void raise(final int mtu)
    {
        super.raise(mtu);
        mountSysfs();
    }

    @Override
    String device()
    {
        return "macvtap0";
    }

    @Override
    void mtu(final int mtu)
    {
        super.mtu(mtu);
        NetNamespace.run("ip", "link", "set", device(), "mtu", Integer.toString(mtu));
    }
}
