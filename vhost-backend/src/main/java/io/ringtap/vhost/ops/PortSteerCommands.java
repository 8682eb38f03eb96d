package io.ringtap.vhost.ops;

import io.ringtap.sys.SyscallException;
import io.ringtap.vhost.dataplane.RateLimit;
import io.ringtap.vhost.session.Negotiated;

import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** Changes ports while frames flow, and shows what was agreed on: {@code port.mtu}, {@code port.rate} and others. */
final class PortSteerCommands
{
    /** The least IPv4 asks of a link (RFC 791), and 64 KiB less the Ethernet header. */
    private static final int MIN_MTU = 68;
    private static final int MAX_MTU = 65_521;
    private static final int ABSENT = -1;
    private static final String PORT = NicDirectory.PORT;

    private final NicDirectory nics;

    PortSteerCommands(final NicDirectory nics)
    {
        this.nics = nics;
    }

    void register(final ControlCommands commands)
    {
        commands.register("port.mtu", "sets the MTU of a port; port=NAME, mtu=BYTES", this::mtu);
        commands.register("port.rate", "limits frames from guest and host; port=NAME, guest=BITS and host=BITS a " +
            "second, 0 for no limit; without both it shows them", this::rate);
        commands.register("port.features", "shows what was offered to the guest and what it took; port=NAME",
            this::features);
    }

    private Object mtu(final Request request)
    {
        final Nic nic = nics.one(request);
        final int mtu = request.number("mtu", MIN_MTU, MAX_MTU, ABSENT);
        request.refuseRest();
        if (ABSENT == mtu)
        {
            throw new CommandException("no mtu", "the command needs it",
                "give \"mtu\" as a number from " + MIN_MTU + " to " + MAX_MTU);
        }
        try
        {
            nic.port().mtu(mtu);
        }
        catch (final SyscallException ex)
        {
            throw new CommandException("mtu=" + mtu, ex.getMessage(), "see what the device and the process may have");
        }
        return Map.of(PORT, nic.name(), "mtu", nic.port().mtu());
    }

    private Object rate(final Request request)
    {
        final Nic nic = nics.one(request);
        final long guest = bits(request, "guest");
        final long host = bits(request, "host");
        request.refuseRest();
        if (ABSENT != guest)
        {
            nic.rates().fromGuest().bitsPerSecond(guest);
        }
        if (ABSENT != host)
        {
            nic.rates().toGuest().bitsPerSecond(host);
        }
        return Map.of(PORT, nic.name(), "guest", nic.rates().fromGuest().bitsPerSecond(),
            "host", nic.rates().toGuest().bitsPerSecond());
    }

    private static long bits(final Request request, final String name)
    {
        if (!request.has(name))
        {
            return ABSENT;
        }
        final long bits = request.count(name, ABSENT);
        if (RateLimit.NONE != bits && (bits < RateLimit.MIN_BITS || bits > RateLimit.MAX_BITS))
        {
            throw new CommandException(name + "=" + bits, "not 0 or a number from " + RateLimit.MIN_BITS + " to " +
                RateLimit.MAX_BITS, "give bits a second");
        }
        return bits;
    }

    private Object features(final Request request)
    {
        final Nic nic = nics.one(request);
        request.refuseRest();
        final Negotiated negotiated = nic.session().negotiated();
        final Map<String, Object> shown = new LinkedHashMap<>();
        shown.put(PORT, nic.name());
        shown.put("connected", nic.session().isConnected());
        shown.put("offered", negotiated.offered());
        shown.put("acknowledged", negotiated.acknowledged());
        shown.put("protocolOffered", words(negotiated.protocolOffered()));
        shown.put("protocolAgreed", words(negotiated.protocolAgreed()));
        return shown;
    }

    private static List<String> words(final String text)
    {
        return Arrays.stream(text.split("[^A-Za-z0-9_]+")).filter((word) -> !word.isEmpty()).toList();
    }
}
