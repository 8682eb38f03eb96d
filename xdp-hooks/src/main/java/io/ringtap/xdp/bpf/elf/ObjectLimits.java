package io.ringtap.xdp.bpf.elf;

/**
 * What an object may have at most: generous for what clang makes, and small enough that a forged file costs neither
 * memory nor time.
 */
public final class ObjectLimits
{
    /** Bytes of the file. */
    public static final int FILE = 64 << 20;
    /** Sections; clang makes some 30. */
    public static final int SECTIONS = 4096;
    /** Symbols. */
    public static final int SYMBOLS = 65_536;
    /** Relocations of sections with code, variables and maps. */
    public static final int RELOCATIONS = 262_144;
    /** Bytes of a name. */
    public static final int NAME = 512;
    /** Instruction slots of all sections together, and of all programs; those of one are the verifier's business. */
    public static final int INSTRUCTIONS = 1_000_000;
    /** Programs. */
    public static final int PROGRAMS = 256;
    /** Maps, those for global variables included. */
    public static final int MAPS = 1024;
    /** Members of a map's declaration; there are a dozen that mean something. */
    public static final int MAP_MEMBERS = 64;
    /** Bytes of all global variables; they may be many without being in the file. */
    public static final int DATA = 64 << 20;
    /** Bytes that the maps' values and keys may take together: less than what programs can address. */
    public static final long MAP_BYTES = 1L << 30;
    /** Global variables. */
    public static final int VARIABLES = 65_536;
    /** Types of BTF. */
    public static final int TYPES = 262_144;
    /** How deep types may be nested. */
    public static final int TYPE_DEPTH = 32;
    /** Bytes of one type: as long as a map's value may be. */
    public static final int TYPE_BYTES = 64 << 20;
    /** Source lines. */
    public static final int LINES = 262_144;
    /** Characters of a source line that are kept. */
    public static final int LINE_TEXT = 160;
    /** CO-RE relocations. */
    public static final int CORE_RELOCATIONS = 65_536;

    private ObjectLimits()
    {
    }
}
