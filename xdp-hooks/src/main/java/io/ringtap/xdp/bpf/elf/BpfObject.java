package io.ringtap.xdp.bpf.elf;

import io.ringtap.xdp.bpf.HelperSet;
import io.ringtap.xdp.bpf.map.MapSpec;

import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.function.Consumer;

/**
 * An object file that was read and not loaded yet: what it declares, and what may still be set.
 * <p>
 * It may be loaded as often as wanted; each time with maps of its own.
 */
public final class BpfObject
{
    private final String name;
    private final ElfFile elf;
    private final Btf btf;
    private final BtfExt ext;
    private final CodeSections sections;
    private final MapTable maps = new MapTable();
    private final Map<String, Variable> variables;
    private final String license;

    private BpfObject(final byte[] bytes, final String name)
    {
        this.name = name;
        elf = ElfFile.parse(bytes);
        final ElfSection types = elf.section(".BTF");
        btf = null == types ? null : Btf.parse(types.content());
        final ElfSection more = elf.section(".BTF.ext");
        ext = null == btf || null == more ? BtfExt.NONE : BtfExt.parse(more.content(), btf);
        sections = new CodeSections(elf);
        final ElfSection licenses = elf.section("license");
        license = null == licenses || 0 == licenses.content().length() ?
            "" : licenses.content().cut(0, ObjectLimits.NAME);
        final SymbolPlaces places = new SymbolPlaces(elf);
        readMaps(places);
        final GlobalData data = new GlobalData(elf, btf, places);
        final List<MapDefinition> globals = data.maps(sections);
        globals.forEach(maps::add);
        variables = data.variables(globals);
    }

    private void readMaps(final SymbolPlaces places)
    {
        final ElfSection declared = elf.section(".maps");
        if (null != declared)
        {
            if (null == btf)
            {
                throw new ObjectException("section .maps without .BTF; compile with clang -g");
            }
            new BtfMaps(elf, btf, declared, places).read().forEach(maps::add);
        }
        final ElfSection legacy = elf.section("maps");
        if (null != legacy)
        {
            LegacyMaps.read(elf, legacy).forEach(maps::add);
        }
    }

    /**
     * Reads a file.
     *
     * @throws ObjectException saying in one line what is wrong with it.
     */
    public static BpfObject read(final Path file)
    {
        final String name = String.valueOf(file.getFileName());
        try (InputStream in = Files.newInputStream(file))
        {
            // One byte more than allowed, so that nobody has to believe the size that a file system tells.
            return read(in.readNBytes(ObjectLimits.FILE + 1), name);
        }
        catch (final IOException failure)
        {
            throw new ObjectException(file + ": cannot be read: " + failure.getMessage());
        }
    }

    /**
     * Reads the bytes of a file.
     *
     * @param name for messages.
     * @throws ObjectException saying in one line what is wrong with them.
     */
    public static BpfObject read(final byte[] bytes, final String name)
    {
        try
        {
            return new BpfObject(bytes, name);
        }
        catch (final ObjectException failure)
        {
            throw failure.in(name);
        }
    }

    public String name()
    {
        return name;
    }

    /** What the license section says; empty when there is none. Shown, never judged. */
    public String license()
    {
        return license;
    }

    /** The C types in it; null when it was compiled without {@code -g}. */
    public Btf btf()
    {
        return btf;
    }

    /** Its XDP programs in the order of the file. */
    public List<ProgramInfo> programs()
    {
        return infos(sections.programs());
    }

    /** Programs of other types in it, which are skipped. */
    public List<ProgramInfo> otherPrograms()
    {
        return infos(sections.others());
    }

    private static List<ProgramInfo> infos(final List<CodeSections.Function> functions)
    {
        return functions.stream()
            .map((each) -> new ProgramInfo(each.name(), each.section().name(), each.length())).toList();
    }

    /**
     * A program as the object holds it.
     *
     * @param name         of its function.
     * @param section      that it lies in.
     * @param instructions slots, without its subprograms.
     */
    public record ProgramInfo(String name, String section, int instructions)
    {
    }

    /** Its maps, those for global variables included. */
    public List<MapDefinition> maps()
    {
        return maps.all();
    }

    /** Its global variables, as far as they have names. */
    public List<Variable> variables()
    {
        return List.copyOf(variables.values());
    }

    /**
     * Sets how many entries a map is going to have.
     *
     * @throws ObjectException when there is no such map, or it cannot have so many.
     */
    public void maxEntries(final String map, final int entries)
    {
        final MapDefinition definition = maps.find(map);
        if (null == definition || definition.isGlobal())
        {
            throw new ObjectException(name + ": there is no map " + map + " with entries; " + names());
        }
        if (entries < 1)
        {
            throw new ObjectException(name + ": map " + map + ": " + entries + " entries, must be 1 at least");
        }
        maps.replace(definition.withEntries(entries));
    }

    private String names()
    {
        final List<String> all =
            maps.all().stream().filter((each) -> !each.isGlobal()).map(MapDefinition::name).toList();
        return all.isEmpty() ? "it has none" : "it has " + String.join(", ", all);
    }

    /**
     * Sets the first value of a global variable: how constants in .rodata are configured.
     *
     * @param text the value as {@link BtfValue#parse} reads it.
     * @throws ObjectException when there is no such variable, or the text is no value of its type.
     */
    public void set(final String variable, final String text)
    {
        final Variable found = variables.get(variable);
        if (null == found)
        {
            throw new ObjectException(name + ": there is no variable " + variable +
                (variables.isEmpty() ? "; it has none" : "; it has " + String.join(", ", variables.keySet())));
        }
        final byte[] value;
        try
        {
            value = BtfValue.of(btf, found.type(), found.size()).parse(text);
        }
        catch (final ObjectException failure)
        {
            throw failure.in(name + ": variable " + variable);
        }
        final MapDefinition map = maps.find(found.map());
        final MapSpec spec = map.spec();
        final byte[] content = null == spec.content() ?
            new byte[spec.valueSize()] : Arrays.copyOf(spec.content(), spec.valueSize());
        System.arraycopy(value, 0, content, found.offset(), value.length);
        maps.replace(map.with(new MapSpec(spec.name(), spec.kind(), spec.keySize(), spec.valueSize(),
            spec.maxEntries(), spec.flags(), spec.extra(), null, content)));
    }

    /** Loads it in silence; see {@link #load(int, HelperSet, Consumer)}. */
    public LoadedObject load(final int queues, final HelperSet helpers)
    {
        return load(queues, helpers, (warning) ->
        {
        });
    }

    /**
     * Makes its maps and verifies its programs. A program that is refused does not keep the others from being loaded;
     * whoever asks for it hears why.
     *
     * @param queues   how many run it at the same time: what the kernel has for each CPU, each of them gets.
     * @param helpers  what the programs may call.
     * @param warnings takes a line for each program that is slower than it could be, when it is compiled.
     * @throws ObjectException when it has no program at all.
     */
    public LoadedObject load(final int queues, final HelperSet helpers, final Consumer<String> warnings)
    {
        if (sections.programs().isEmpty())
        {
            throw new ObjectException(name + ": no XDP program; put a function into SEC(\"xdp\")" +
                (sections.others().isEmpty() ? "" : " (it has " + sections.others().size() + " of other types)"));
        }
        return new ObjectLoader(this, queues, helpers).load(warnings);
    }

    ElfFile elf()
    {
        return elf;
    }

    CodeSections sections()
    {
        return sections;
    }

    MapTable mapTable()
    {
        return maps;
    }

    Map<String, Variable> variableTable()
    {
        return variables;
    }

    ProgramLinker linker(final CodeSections.Function entry)
    {
        return new ProgramLinker(elf, sections, maps, btf, ext, entry);
    }
}
