package io.ringtap.sys;

/** Requests, flags and offloads of linux/if_tun.h. */
public final class Tun
{
    public static final String DEVICE = "/dev/net/tun";

    public static final long TUNSETIFF = 0x400454caL;
    public static final long TUNSETPERSIST = 0x400454cbL;
    public static final long TUNSETOWNER = 0x400454ccL;
    public static final long TUNSETGROUP = 0x400454ceL;
    public static final long TUNGETFEATURES = 0x800454cfL;
    public static final long TUNSETOFFLOAD = 0x400454d0L;
    public static final long TUNGETIFF = 0x800454d2L;
    public static final long TUNGETSNDBUF = 0x800454d3L;
    public static final long TUNSETSNDBUF = 0x400454d4L;
    public static final long TUNGETVNETHDRSZ = 0x800454d7L;
    public static final long TUNSETVNETHDRSZ = 0x400454d8L;
    public static final long TUNSETQUEUE = 0x400454d9L;
    public static final long TUNSETVNETLE = 0x400454dcL;
    public static final long TUNSETVNETBE = 0x400454deL;
    public static final long TUNSETSTEERINGEBPF = 0x800454e0L;
    public static final long TUNSETFILTEREBPF = 0x800454e1L;
    public static final long TUNSETCARRIER = 0x400454e2L;
    public static final long TUNGETDEVNETNS = 0x54e3L;

    public static final int IFF_TUN = 0x0001;
    public static final int IFF_TAP = 0x0002;
    public static final int IFF_NAPI = 0x0010;
    public static final int IFF_NAPI_FRAGS = 0x0020;
    public static final int IFF_MULTI_QUEUE = 0x0100;
    public static final int IFF_ATTACH_QUEUE = 0x0200;
    public static final int IFF_DETACH_QUEUE = 0x0400;
    public static final int IFF_PERSIST = 0x0800;
    public static final int IFF_NO_PI = 0x1000;
    public static final int IFF_VNET_HDR = 0x4000;
    public static final int IFF_TUN_EXCL = 0x8000;

    public static final int TUN_F_CSUM = 0x01;
    public static final int TUN_F_TSO4 = 0x02;
    public static final int TUN_F_TSO6 = 0x04;
    public static final int TUN_F_TSO_ECN = 0x08;
    public static final int TUN_F_UFO = 0x10;
    public static final int TUN_F_USO4 = 0x20;
    public static final int TUN_F_USO6 = 0x40;

    private Tun()
    {
    }
}
