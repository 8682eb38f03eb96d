package io.ringtap.sys;

/** Interface requests and flags: linux/if.h and linux/sockios.h. */
public final class If
{
    /** Bytes of an interface name with its zero. */
    public static final int IFNAMSIZ = 16;

    /** Bytes of struct ifreq: the name, then a union. */
    public static final int IFREQ_LENGTH = 40;

    /** Where the union of struct ifreq begins. */
    public static final int IFREQ_VALUE = 16;

    public static final int SIOCGIFNAME = 0x8910;
    public static final int SIOCGIFFLAGS = 0x8913;
    public static final int SIOCSIFFLAGS = 0x8914;
    public static final int SIOCSIFADDR = 0x8916;
    public static final int SIOCSIFNETMASK = 0x891c;
    public static final int SIOCGIFMTU = 0x8921;
    public static final int SIOCSIFMTU = 0x8922;
    public static final int SIOCSIFHWADDR = 0x8924;
    public static final int SIOCGIFHWADDR = 0x8927;
    public static final int SIOCGIFINDEX = 0x8933;
    public static final int SIOCGIFTXQLEN = 0x8942;
    public static final int SIOCSIFTXQLEN = 0x8943;
    public static final int SIOCETHTOOL = 0x8946;
    public static final int SIOCBRADDIF = 0x89a2;
    public static final int SIOCBRDELIF = 0x89a3;

    /** A command of SIOCETHTOOL (linux/ethtool.h). */
    public static final int ETHTOOL_GCHANNELS = 0x3c;

    public static final int IFF_UP = 0x1;
    public static final int IFF_BROADCAST = 0x2;
    public static final int IFF_LOOPBACK = 0x8;
    public static final int IFF_RUNNING = 0x40;
    public static final int IFF_PROMISC = 0x100;

    private If()
    {
    }
}
