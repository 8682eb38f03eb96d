package io.ringtap.it.kernel;

import io.ringtap.xdp.bpf.BpfFunction;
import io.ringtap.xdp.bpf.BpfMap;
import io.ringtap.xdp.bpf.BpfProgram;
import io.ringtap.xdp.bpf.Instruction;
import io.ringtap.xdp.bpf.MapKind;
import io.ringtap.xdp.bpf.elf.LoadedObject;
import io.ringtap.xdp.bpf.elf.MapDefinition;
import io.ringtap.xdp.bpf.map.MapSpec;

import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** What our loader made of an object, in the kernel: the same linked code, and maps of the same declarations. */
public final class KernelObject implements AutoCloseable
{
    private static final int FUNCTION = 4;

    private final Map<String, KernelMap> maps = new LinkedHashMap<>();
    private final Map<String, KernelProgram> programs = new LinkedHashMap<>();

    private KernelObject()
    {
    }

    /** @throws io.ringtap.sys.SyscallException when the kernel refuses a map or a program. */
    public static KernelObject load(final LoadedObject ours)
    {
        final KernelObject object = new KernelObject();
        try
        {
            object.loadAll(ours);
            return object;
        }
        catch (final RuntimeException ex)
        {
            object.close();
            throw ex;
        }
    }

    private void loadAll(final LoadedObject ours)
    {
        final List<MapDefinition> definitions = ours.object().maps();
        for (final MapDefinition definition : definitions)
        {
            // Our map knows how many entries it got where the object left that open.
            final BpfMap made = ours.map(definition.name());
            maps.put(definition.name(), KernelMap.create(definition.spec().withMaxEntries(made.maxEntries())));
        }
        for (final BpfProgram program : ours.verified())
        {
            programs.put(program.name(), load(program));
        }
        for (final MapDefinition definition : definitions)
        {
            definition.initial().forEach((index, name) -> put(definition.spec(), index, name));
        }
    }

    private void put(final MapSpec spec, final int index, final String name)
    {
        final int fd = MapKind.PROG_ARRAY == spec.kind() ? programs.get(name).fd() : maps.get(name).fd();
        maps.get(spec.name()).put(number(index), number(fd));
    }

    private static byte[] number(final int number)
    {
        return ByteBuffer.allocate(4).order(ByteOrder.LITTLE_ENDIAN).putInt(number).array();
    }

    private KernelProgram load(final BpfProgram program)
    {
        final long[] code = new long[program.length()];
        boolean hasCallback = false;
        for (int i = 0; i < code.length; i++)
        {
            code[i] = program.instruction(i);
        }
        for (int i = 0; i < code.length; i += Instruction.isWide(code[i]) ? 2 : 1)
        {
            hasCallback |= Instruction.isWide(code[i]) && FUNCTION == Instruction.source(code[i]);
        }
        final List<KernelMap> used = program.maps().stream().map(map -> maps.get(map.name())).toList();
        try (KernelBtf btf = hasCallback ?
            KernelBtf.ofFunctions(program.functions().stream().mapToInt(BpfFunction::first).toArray()) : null)
        {
            return KernelProgram.load(program.name(), KernelCode.linked(code, used), program.license(), btf);
        }
    }

    public KernelMap map(final String name)
    {
        return maps.get(name);
    }

    public Map<String, KernelMap> maps()
    {
        return maps;
    }

    public KernelProgram program(final String name)
    {
        return programs.get(name);
    }

    @Override
    public void close()
    {
        programs.values().forEach(KernelProgram::close);
        maps.values().forEach(KernelMap::close);
    }
}
