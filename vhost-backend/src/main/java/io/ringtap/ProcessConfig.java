package io.ringtap;

import java.util.List;

/**
 * What holds for a process with all its NICs; fixed at its start.
 *
 * @param workers     who runs the workers.
 * @param threads     threads that run all workers when they are shared.
 * @param cpus        CPUs that these threads are pinned to in turn; empty leaves them to the scheduler.
 * @param controlPath control socket; null for none.
 * @param controlMode permission bits of the control socket's file.
 * @param metrics     HOST:PORT of the metrics endpoint; null for none.
 * @param isolation   what the process gives up after its start.
 * @param verbose     say more, and show traces of errors.
 */
public record ProcessConfig(
    WorkerMode workers,
    int threads,
    List<Integer> cpus,
    String controlPath,
    int controlMode,
    String metrics,
    Isolation isolation,
    boolean verbose)
{
    /** Copies the list, so that nobody changes it afterwards. */
    public ProcessConfig
    {
        cpus = List.copyOf(cpus);
    }

    /** What the process of one NIC needs. */
    public static ProcessConfig of(final BackendConfig nic)
    {
        return new ProcessConfig(
            WorkerMode.DEDICATED, 1, List.of(), nic.controlPath(), nic.controlMode(), nic.metrics(),
            nic.isolation(), nic.verbose());
    }
}
