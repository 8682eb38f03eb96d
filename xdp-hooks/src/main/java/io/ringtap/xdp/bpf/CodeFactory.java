package io.ringtap.xdp.bpf;

import java.util.function.Consumer;

/** Makes verified programs run: compiled and warmed up; or interpreted, and then it says so. */
public final class CodeFactory
{
    /** Frames that a program judges for practice; HotSpot's last compiler begins at 5,000 to 15,000 calls. */
    public static final int PRACTICE = 30_000;

    private CodeFactory()
    {
    }

    /**
     * Compiles a program and runs it for practice where nobody sees it, so that the first real frames meet machine
     * code. Takes some tenths of a second of the calling thread, which is never a worker's.
     *
     * @param warnings takes one line when the program must be interpreted, or could not practise.
     */
    public static ProgramCode make(final BpfProgram program, final Consumer<String> warnings)
    {
        final ProgramCode code;
        try
        {
            code = Compiler.compile(program);
        }
        catch (final CompileException failure)
        {
            warnings.accept(failure.getMessage() + "; it is interpreted, some 30 times slower");
            return new Interpreter(program);
        }
        final AddressSpace scratch = program.space().scratch();
        if (null == scratch)
        {
            warnings.accept("program " + program.name() + " is not warmed up, since one of its maps has no double to " +
                "practise on: its first frames take microseconds");
        }
        else
        {
            practise(code, scratch, PRACTICE);
        }
        return code;
    }

    /** Runs a program on made-up frames and maps. */
    static void practise(final ProgramCode code, final AddressSpace scratch, final int count)
    {
        final BpfContext context = new BpfContext(scratch, BpfContext.DEFAULT_FUEL / 100);
        context.practises(true);
        final PracticeFrames frames = new PracticeFrames();
        for (int done = 0; done < count; done += 2 * frames.count())
        {
            frames.run(code, context, done);
        }
    }
}
