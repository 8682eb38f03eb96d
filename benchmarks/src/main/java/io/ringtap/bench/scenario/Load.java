package io.ringtap.bench.scenario;

import java.util.ArrayList;
import java.util.List;

/** What virtio-user sends, as options of testpmd. */
enum Load
{
    /** One flow. */
    ONE("one flow", List.of("--forward-mode=txonly"), 0),
    /** The destination address changes with each packet, eight in turn. */
    EIGHT("eight flows", List.of("--forward-mode=flowgen", "--flowgen-flows=8"), 4),
    /** The source address changes with each packet, 256 in turn: no batch holds two packets of a flow. */
    MANY("256 flows", List.of("--forward-mode=txonly", "--txonly-multi-flow"), 0);

    /** Ethernet, IPv4 and UDP. */
    static final int HEADERS = 42;

    private final String text;
    private final List<String> mode;
    private final int checkSequence;

    Load(final String text, final List<String> mode, final int checkSequence)
    {
        this.text = text;
        this.mode = mode;
        this.checkSequence = checkSequence;
    }

    String text()
    {
        return text;
    }

    /** @param more such as addresses. flowgen takes four bytes off the length for a check sequence. */
    List<String> options(final int length, final String mac, final List<String> more)
    {
        final List<String> options = new ArrayList<>(mode);
        options.add("--txpkts=" + (length + checkSequence));
        options.add("--eth-peer=0," + mac);
        options.addAll(more);
        return options;
    }
}
