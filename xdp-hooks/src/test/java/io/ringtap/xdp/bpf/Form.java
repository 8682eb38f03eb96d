package io.ringtap.xdp.bpf;

/** The ways a program can run; whatever one does, the others do. */
enum Form
{
    INTERPRETED
    {
        @Override
        ProgramCode of(final BpfProgram program)
        {
            return new Interpreter(program);
        }
    },
    COMPILED
    {
        @Override
        ProgramCode of(final BpfProgram program)
        {
            return Compiler.compile(program);
        }
    },
    /** As a long program is compiled: every few blocks become a method. */
    IN_PARTS
    {
        @Override
        ProgramCode of(final BpfProgram program)
        {
            return Compiler.compile(program, new Compiler.Limits(0, 150));
        }
    };

    abstract ProgramCode of(BpfProgram program);
}
