package io.ringtap.sandbox;

/** A processor's system call interface, by its AUDIT_ARCH_* number of linux/audit.h. */
enum Machine
{
    X86_64(0xc000_003e), AARCH64(0xc000_00b7);

    private final int audit;

    Machine(final int audit)
    {
        this.audit = audit;
    }

    int audit()
    {
        return audit;
    }

    /** The machine that this process runs on; null when there is no filter for it. */
    static Machine current()
    {
        return switch (System.getProperty("os.arch"))
        {
            case "amd64", "x86_64" -> X86_64;
            case "aarch64" -> AARCH64;
            default -> null;
        };
    }
}
