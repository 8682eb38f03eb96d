package io.ringtap.vhost.ops;

import io.ringtap.sys.Errno;
import io.ringtap.xdp.bpf.BpfMap;
import io.ringtap.xdp.bpf.elf.BtfValue;
import io.ringtap.xdp.bpf.elf.LoadedObject;
import io.ringtap.xdp.bpf.elf.Variable;
import io.ringtap.xdp.bpf.map.MapAccess;
import org.agrona.concurrent.UnsafeBuffer;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * Maps of attached programs, read and written while these run: {@code xdp.map.dump}, {@code lookup}, {@code update} and
 * {@code delete}. Keys and values have the C types that the object gives them; of .data, .bss and .rodata the variables
 * are shown by name.
 */
final class XdpMapCommands
{
    /** Entries of a dump unless the request says otherwise, and at most. */
    private static final int DUMP = 1_000;
    private static final int MAX_DUMP = 20_000;
    private static final int ALL_PROCESSORS = -1;
    private static final int MAX_PROCESSOR = 1 << 16;

    private final NicDirectory nics;

    XdpMapCommands(final NicDirectory nics)
    {
        this.nics = nics;
    }

    void register(final ControlCommands commands)
    {
        commands.register("xdp.map.dump", "shows entries of a map; map=NAME, id=ID of a program that has it, limit=N",
            XdpCommands.guarded(this::dump));
        commands.register("xdp.map.lookup", "shows the value of a key; map=NAME, key=TEXT",
            XdpCommands.guarded(this::lookup));
        commands.register("xdp.map.update", "stores a value; map=NAME, key=TEXT, value=TEXT, processor=N for one only",
            XdpCommands.guarded(this::update));
        commands.register("xdp.map.delete", "removes a key; map=NAME, key=TEXT", XdpCommands.guarded(this::delete));
    }

    private Object dump(final Request request)
    {
        final LoadedObject object = object(request);
        final BpfMap map = object.map(request.text("map"));
        final int limit = request.number("limit", 1, MAX_DUMP, DUMP);
        request.refuseRest();
        final Map<String, Object> result = new LinkedHashMap<>(XdpView.map(map));
        final List<Object> entries = new ArrayList<>();
        final List<Variable> variables = variables(object, map);
        if (!variables.isEmpty())
        {
            variables.forEach((variable) -> entries.add(entry(variable.name(), object.get(variable.name()))));
            result.put("isWhole", true);
        }
        else
        {
            final MapAccess access = MapAccess.of(map);
            final BtfValue keyType = object.keys(map.name());
            final List<byte[]> keys = access.keys(limit + 1);
            for (final byte[] key : keys.subList(0, Math.min(limit, keys.size())))
            {
                final Object value = value(object, access, key);
                if (null != value)
                {
                    entries.add(entry(keyType.tree(new UnsafeBuffer(key), 0), value));
                }
            }
            result.put("isWhole", keys.size() <= limit);
        }
        result.put("values", entries);
        return result;
    }

    private Object lookup(final Request request)
    {
        final LoadedObject object = object(request);
        final BpfMap map = object.map(request.text("map"));
        final String key = request.text("key");
        request.refuseRest();
        if (!variables(object, map).isEmpty())
        {
            return entry(key, object.get(key));
        }
        final byte[] bytes = object.keys(map.name()).parse(key);
        final Object value = value(object, MapAccess.of(map), bytes);
        if (null == value)
        {
            throw new CommandException("key=" + Request.shortened(key), "not in map " + map.name(),
                "dump shows what is");
        }
        return entry(object.keys(map.name()).tree(new UnsafeBuffer(bytes), 0), value);
    }

    private Object update(final Request request)
    {
        final LoadedObject object = object(request);
        final BpfMap map = object.map(request.text("map"));
        final String key = request.text("key");
        final String text = request.text("value");
        final int processor = request.number("processor", 0, MAX_PROCESSOR, ALL_PROCESSORS);
        request.refuseRest();
        if (!variables(object, map).isEmpty())
        {
            object.set(key, text);
            return entry(key, object.get(key));
        }
        final MapAccess access = MapAccess.of(map);
        final byte[] bytes = object.keys(map.name()).parse(key);
        final byte[] value = object.values(map.name()).parse(text);
        require(map, key, ALL_PROCESSORS == processor ?
            access.put(bytes, value) : access.putOne(bytes, processor, value));
        final Object now = value(object, access, bytes);
        return entry(object.keys(map.name()).tree(new UnsafeBuffer(bytes), 0), null == now ? "" : now);
    }

    private Object delete(final Request request)
    {
        final LoadedObject object = object(request);
        final BpfMap map = object.map(request.text("map"));
        final String key = request.text("key");
        request.refuseRest();
        final byte[] bytes = object.keys(map.name()).parse(key);
        require(map, key, MapAccess.of(map).delete(bytes));
        return Map.of("deleted", object.keys(map.name()).tree(new UnsafeBuffer(bytes), 0));
    }

    /** The object of a program by its id; else the only attached one that has the map. */
    private LoadedObject object(final Request request)
    {
        final Nic nic = nics.one(request);
        final int id = request.number("id", 1, Integer.MAX_VALUE, 0);
        if (0 != id)
        {
            return nic.hooks().program(id).object();
        }
        final String name = request.text("map");
        final List<LoadedObject> found = new ArrayList<>();
        for (final AttachedProgram program : nic.hooks().programs())
        {
            final LoadedObject object = program.object();
            final boolean hasMap = object.maps().stream().anyMatch((map) -> map.name().equals(name));
            if (hasMap && !found.contains(object))
            {
                found.add(object);
            }
        }
        if (1 != found.size())
        {
            throw new CommandException("map=" + Request.shortened(name), found.size() + " attached objects have it",
                "show lists maps; name a program that has it by id=ID");
        }
        return found.get(0);
    }

    /** One value, or one for each processor. */
    private static Object value(final LoadedObject object, final MapAccess access, final byte[] key)
    {
        final List<byte[]> all = access.getAll(key);
        if (null == all)
        {
            return null;
        }
        final BtfValue type = object.values(access.map().name());
        final List<Object> shown = new ArrayList<>();
        for (final byte[] value : all)
        {
            shown.add(type.tree(new UnsafeBuffer(value), 0));
        }
        return 1 == access.valuesPerKey() ? shown.get(0) : shown;
    }

    private static List<Variable> variables(final LoadedObject object, final BpfMap map)
    {
        return object.object().variables().stream().filter((each) -> each.map().equals(map.name())).toList();
    }

    private static Map<String, Object> entry(final Object key, final Object value)
    {
        final Map<String, Object> entry = new LinkedHashMap<>();
        entry.put("key", key);
        entry.put("value", value);
        return entry;
    }

    private static void require(final BpfMap map, final String key, final int result)
    {
        if (result < 0)
        {
            throw new CommandException("key=" + Request.shortened(key),
                "map " + map.name() + " says " + Errno.nameOf(-result), "dump shows what is in it");
        }
    }
}
