package io.ringtap.yaml;

import org.snakeyaml.engine.v2.api.LoadSettings;
import org.snakeyaml.engine.v2.api.lowlevel.Parse;
import org.snakeyaml.engine.v2.events.AliasEvent;
import org.snakeyaml.engine.v2.events.CollectionStartEvent;
import org.snakeyaml.engine.v2.events.DocumentStartEvent;
import org.snakeyaml.engine.v2.events.Event;
import org.snakeyaml.engine.v2.events.NodeEvent;
import org.snakeyaml.engine.v2.events.ScalarEvent;
import org.snakeyaml.engine.v2.exceptions.Mark;
import org.snakeyaml.engine.v2.exceptions.MarkedYamlEngineException;
import org.snakeyaml.engine.v2.exceptions.YamlEngineException;

import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * Reads one YAML document into a tree, from the parser's events: what makes YAML dangerous (anchors and aliases, tags,
 * merge keys, more than one document) is refused where it stands, and size, depth and number of nodes are bounded
 * before anything is kept.
 */
public final class YamlReader
{
    /** Hundreds of ports with every option written out have a fourth of it. */
    public static final int MAX_BYTES = 1 << 20;
    /** A configuration is four deep. */
    public static final int MAX_DEPTH = 8;
    /** Each costs some hundred bytes. */
    public static final int MAX_NODES = 50_000;

    private static final String MERGE_KEY = "<<";

    private final Iterator<Event> events;
    private final List<YamlFault> faults = new ArrayList<>();
    private int depth;
    private int nodes;

    /**
     * What was read.
     *
     * @param root   the whole file.
     * @param faults what was passed over: keys that are there twice, anchors, tags.
     */
    public record Document(YamlNode root, List<YamlFault> faults)
    {
    }

    private YamlReader(final Iterator<Event> events)
    {
        this.events = events;
    }

    /**
     * Reads UTF-8.
     *
     * @throws YamlException at the first place where it is no YAML or beyond a limit.
     */
    public static Document read(final byte[] bytes) throws YamlException
    {
        if (bytes.length > MAX_BYTES)
        {
            throw fault(YamlPlace.START, bytes.length + " bytes", "a configuration has at most " + MAX_BYTES,
                "split it over several processes");
        }
        final LoadSettings settings = LoadSettings.builder().setCodePointLimit(MAX_BYTES).build();
        try
        {
            return new YamlReader(new Parse(settings).parseString(decode(bytes)).iterator()).document();
        }
        catch (final MarkedYamlEngineException ex)
        {
            final Optional<Mark> mark = ex.getProblemMark().or(ex::getContextMark);
            throw fault(mark.map(YamlReader::place).orElse(YamlPlace.START), "no YAML", String.valueOf(ex.getProblem()),
                "correct the line or the one above it");
        }
        catch (final YamlEngineException ex)
        {
            throw fault(YamlPlace.START, "no YAML", String.valueOf(ex.getMessage()), "remove the character");
        }
    }

    private Document document() throws YamlException
    {
        YamlNode root = null;
        while (events.hasNext())
        {
            final Event event = events.next();
            if (event instanceof DocumentStartEvent && null != root)
            {
                throw fault(place(event), "a second document", "a file holds one", "remove the line of dashes");
            }
            if (event instanceof NodeEvent)
            {
                root = node((NodeEvent)event);
            }
        }
        if (null == root)
        {
            throw fault(YamlPlace.START, "nothing", "the file is empty", "write ports: and the ports below it");
        }
        return new Document(root, faults);
    }

    /** Recursion is bounded by {@link #MAX_DEPTH}. */
    private YamlNode node(final NodeEvent event) throws YamlException
    {
        admit(event);
        if (event instanceof ScalarEvent)
        {
            final ScalarEvent scalar = (ScalarEvent)event;
            return new YamlNode.Scalar(place(event), scalar.getValue(), scalar.isPlain());
        }
        if (++depth > MAX_DEPTH)
        {
            throw fault(place(event), "a block in " + MAX_DEPTH + " others", "it is " + MAX_DEPTH + " deep at most",
                "remove brackets or indentation");
        }
        final YamlNode node = Event.ID.MappingStart == event.getEventId() ? mapping(event) : sequence(event);
        depth--;
        return node;
    }

    private YamlNode sequence(final Event start) throws YamlException
    {
        final List<YamlNode> items = new ArrayList<>();
        for (Event next = events.next(); Event.ID.SequenceEnd != next.getEventId(); next = events.next())
        {
            items.add(node((NodeEvent)next));
        }
        return new YamlNode.Sequence(place(start), items);
    }

    private YamlNode mapping(final Event start) throws YamlException
    {
        final List<YamlNode.Entry> entries = new ArrayList<>();
        final Map<String, YamlPlace> seen = new HashMap<>();
        for (Event next = events.next(); Event.ID.MappingEnd != next.getEventId(); next = events.next())
        {
            final YamlNode key = node((NodeEvent)next);
            if (!(key instanceof YamlNode.Scalar))
            {
                throw fault(key.place(), key.kind() + " as a key", "a key is a word", "write KEY: VALUE");
            }
            final String name = ((YamlNode.Scalar)key).text();
            if (MERGE_KEY.equals(name))
            {
                throw fault(key.place(), MERGE_KEY, "blocks are not merged", "put what is common under defaults:");
            }
            final YamlNode value = node((NodeEvent)events.next());
            final YamlPlace before = seen.putIfAbsent(name, key.place());
            if (null == before)
            {
                entries.add(new YamlNode.Entry(key.place(), name, value));
            }
            else
            {
                faults.add(new YamlFault(
                    key.place(), name, "the key is in line " + before.line() + " already", "remove one of them"));
            }
        }
        return new YamlNode.Mapping(place(start), entries);
    }

    private void admit(final NodeEvent event) throws YamlException
    {
        if (event instanceof AliasEvent)
        {
            throw fault(place(event), "*" + ((AliasEvent)event).getAlias(), "aliases are not followed",
                "write the value out or put it under defaults:");
        }
        if (event.getAnchor().isPresent())
        {
            faults.add(new YamlFault(place(event), "&" + event.getAnchor().get(), "anchors are not taken",
                "remove it; what is common goes under defaults:"));
        }
        final Optional<String> tag = event instanceof ScalarEvent ?
            ((ScalarEvent)event).getTag() : ((CollectionStartEvent)event).getTag();
        if (tag.isPresent())
        {
            faults.add(new YamlFault(place(event), tag.get(), "tags are not taken", "remove the tag"));
        }
        if (++nodes > MAX_NODES)
        {
            throw fault(place(event), "value number " + nodes, "a configuration has at most " + MAX_NODES,
                "split it over several processes");
        }
    }

    private static String decode(final byte[] bytes) throws YamlException
    {
        final ByteBuffer in = ByteBuffer.wrap(bytes);
        try
        {
            return StandardCharsets.UTF_8.newDecoder().decode(in).toString();
        }
        catch (final CharacterCodingException ex)
        {
            int line = 1;
            for (int i = 0; i < in.position(); i++)
            {
                line += '\n' == bytes[i] ? 1 : 0;
            }
            throw fault(new YamlPlace(line, 1), "byte " + in.position(), "the file is not UTF-8", "save it as UTF-8");
        }
    }

    private static YamlPlace place(final Event event)
    {
        return event.getStartMark().map(YamlReader::place).orElse(YamlPlace.START);
    }

    private static YamlPlace place(final Mark mark)
    {
        return new YamlPlace(mark.getLine() + 1, mark.getColumn() + 1);
    }

    private static YamlException fault(
        final YamlPlace place, final String value, final String limit, final String remedy)
    {
        return new YamlException(new YamlFault(place, value, limit, remedy));
    }
}
