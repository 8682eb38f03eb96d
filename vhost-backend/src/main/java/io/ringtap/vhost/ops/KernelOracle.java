package io.ringtap.vhost.ops;

import io.ringtap.sys.Bpf;
import io.ringtap.sys.Errno;
import io.ringtap.sys.Fd;
import io.ringtap.sys.SyscallException;
import io.ringtap.xdp.bpf.BpfMap;
import io.ringtap.xdp.bpf.BpfProgram;
import io.ringtap.xdp.bpf.Instruction;
import io.ringtap.xdp.bpf.MapKind;
import org.agrona.CloseHelper;

import java.util.ArrayList;
import java.util.List;

/**
 * Asks the kernel's verifier what it thinks of a program, where the process may: the program and maps like its own are
 * loaded, attached to nothing, and gone again. What it says is told and changes nothing.
 */
public final class KernelOracle
{
    private static final String REMEDY =
        "; bpf(2) needs root, and under the sandbox --xdp-oracle when the process starts";
    private static final int MAP = 1;
    private static final int MAP_VALUE = 2;
    /** Values of maps cost the kernel memory; more entries say nothing more about a program. */
    private static final int MAX_ENTRIES = 64;
    private static final int RING_ENTRIES = 4096;
    private static final int NO_PREALLOCATION = 1;

    private KernelOracle()
    {
    }

    /** The verdict in one line; never throws for what the kernel refuses. */
    public static String ask(final BpfProgram program)
    {
        final List<Fd> maps = new ArrayList<>();
        try
        {
            for (final BpfMap map : program.maps())
            {
                maps.add(create(map));
            }
            load(program, maps).close();
            return "accepted: the kernel's verifier would load " + program.name();
        }
        catch (final SyscallException ex)
        {
            return "refused: " + Request.shortened(ex.getMessage()) + (Errno.EPERM == ex.errno() ? REMEDY : "");
        }
        finally
        {
            CloseHelper.closeAll(maps);
        }
    }

    private static Fd create(final BpfMap map)
    {
        final boolean isRing = MapKind.RINGBUF == map.kind();
        final boolean isArray = MapKind.ARRAY == map.kind() || MapKind.PERCPU_ARRAY == map.kind();
        final int entries = isRing ? RING_ENTRIES : isArray ?
            map.maxEntries() : Math.max(1, Math.min(MAX_ENTRIES, map.maxEntries()));
        return Bpf.mapCreate(map.kind().number(), map.keySize(), map.valueSize(), entries,
            MapKind.LPM_TRIE == map.kind() ? NO_PREALLOCATION : 0, map.name());
    }

    private static Fd load(final BpfProgram program, final List<Fd> maps)
    {
        final long[] code = new long[program.length()];
        for (int at = 0; at < code.length; at++)
        {
            final long instruction = program.instruction(at);
            code[at] = instruction;
            if (Instruction.isWide(instruction))
            {
                final int source = Instruction.source(instruction);
                if (MAP == source || MAP_VALUE == source)
                {
                    code[at] = Instruction.withImmediate(
                        instruction, maps.get(Instruction.immediate(instruction)).number());
                }
                at++;
                code[at] = program.instruction(at);
            }
        }
        final String license = program.license();
        return Bpf.progLoad(Bpf.PROG_TYPE_XDP, code, license.isEmpty() ? "none" : license, program.name());
    }
}
