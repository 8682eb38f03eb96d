package io.ringtap.vhost.session;

import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Collectors;

import io.ringtap.flow.Offloads;
import io.ringtap.vhost.protocol.BackendRequest;
import io.ringtap.vhost.protocol.ProtocolFeature;
import io.ringtap.vhost.protocol.Request;
import io.ringtap.vhost.virtio.NetFeatures;

/** What we speak of vhost-user and virtio, and who proves it, as {@code docs/conformance.md} says it. */
final class ConformanceDocument
{
    static final String REWRITE =
        "mvn -pl vhost-backend -am test -Dtest=ConformanceTest -Dsurefire.failIfNoSpecifiedTests=false " +
        "-Dringtap.conformance.write=true";

    /** With {@code --offer}, for front-ends that leave it to us. */
    private static final long ON_DEMAND = NetFeatures.CONTROL | NetFeatures.bit(NetFeatures.RSS) |
        NetFeatures.bit(NetFeatures.RING_RESET) | NetFeatures.bit(NetFeatures.MAC) |
        NetFeatures.bit(NetFeatures.STATUS) | NetFeatures.bit(NetFeatures.SPEED_DUPLEX);

    private final StringBuilder text = new StringBuilder();
    private final Set<String> unproven = new TreeSet<>();
    private final Set<String> unreasoned = new TreeSet<>();
    private final Set<String> known = new TreeSet<>();
    private final ProofIndex proofs;

    ConformanceDocument(final ProofIndex proofs)
    {
        this.proofs = proofs;
        text.append("""
            # Conformance

            What of vhost-user and of virtio's network device is spoken here, with the tests that prove it or the
            reason why it is refused. Written by `ConformanceTest` from the request table, the feature bits and the tags
            of the tests; `mvn verify` fails when it is out of date, and at its end `ConformanceRunIT` reads the reports
            of that run: each test named here ran in it and passed. To write it again:

            <!-- run by ConformanceTest -->
            ```sh
            """).append(REWRITE).append("""

            ```

            Each message, handled or refused, also goes through `MessageTableTest`: well formed, short, long, without
            and with too many descriptors, with rings that do not exist, marked as a reply, not negotiated, in the
            wrong state; with need_reply and without, at once and byte by byte. What is *on demand* is offered with
            `--offer`, for front-ends that leave it to the backend.
            """);
        requests();
        backendRequests();
        protocolFeatures();
        virtioFeatures();
    }

    String text()
    {
        return text.toString();
    }

    /** What is there and nothing claims to prove. */
    Set<String> unproven()
    {
        return unproven;
    }

    /** What is not there without a reason. */
    Set<String> unreasoned()
    {
        return unreasoned;
    }

    /** Every tag that means something. */
    Set<String> known()
    {
        return known;
    }

    private void requests()
    {
        section("Messages of the front-end", "id", "message", "payload", "descriptors", "needs", "answer", "proof");
        for (final Request request : Request.values())
        {
            row(Integer.toString(request.code()), request.name(),
                request.payload().label() + (request.payload().maxLength() == 0 ? "" :
                ", " + request.payload().lengthRule()),
                request.descriptors().rule(), null == request.needs() ? "-" : request.needs().name(),
                request.reply().label(),
                verdict("message." + request.name(), request.isHandled(), request.refusal()));
        }
    }

    private void backendRequests()
    {
        section("Messages of the back-end", "id", "message", "proof");
        for (final BackendRequest request : BackendRequest.values())
        {
            final String tag = "backend." + request.name();
            row(Integer.toString(request.code()), request.name(),
                verdict(tag, !proofs.tests(tag).isEmpty(), Refusals.of(request)));
        }
    }

    private void protocolFeatures()
    {
        section("Protocol features", "bit", "feature", "proof");
        for (final ProtocolFeature feature : ProtocolFeature.values())
        {
            row(Integer.toString(feature.bit()), feature.name(), verdict("protocol." + feature.name(),
                feature.isIn(Session.SUPPORTED_PROTOCOL_FEATURES), Refusals.of(feature)));
        }
    }

    private void virtioFeatures()
    {
        section("Virtio features", "bit", "feature", "proof");
        final long offered = NetFeatures.offered(Offloads.ALL, Offloads.ALL) | ON_DEMAND |
            NetFeatures.bit(NetFeatures.LOG_ALL) | NetFeatures.bit(NetFeatures.ACCESS_PLATFORM);
        final Map<Integer, String[]> refused = Refusals.virtio();
        for (int bit = 0; bit < Long.SIZE; bit++)
        {
            final String[] refusal = refused.getOrDefault(bit, new String[2]);
            final boolean isOffered = NetFeatures.has(offered, bit);
            if (isOffered || null != refusal[0])
            {
                final String name = isOffered ? NetFeatures.name(bit) : refusal[0];
                row(Integer.toString(bit), name, (NetFeatures.has(ON_DEMAND, bit) ? "on demand: " : "") +
                    verdict("virtio." + name, isOffered, refusal[1]));
            }
        }
    }

    private String verdict(final String tag, final boolean isThere, final String refusal)
    {
        known.add(tag);
        final Set<String> tests = proofs.tests(tag);
        if (!isThere)
        {
            if (null == refusal)
            {
                unreasoned.add(tag);
            }

            return "refused: " + refusal;
        }

        if (tests.isEmpty())
        {
            unproven.add(tag);
        }

        return tests.stream().map(test -> "`" + test + "`").collect(Collectors.joining(", "));
    }

    private void section(final String title, final String... columns)
    {
        text.append("\n## ").append(title).append("\n\n");
        row(columns);
        text.append("|---".repeat(columns.length)).append("|\n");
    }

    private void row(final String... cells)
    {
        text.append("| ").append(String.join(" | ", cells)).append(" |\n");
    }
}
