package io.ringtap.command;

import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

import java.util.concurrent.Callable;

/** {@code ringtap xdp}: the roof over all that has to do with eBPF programs. */
@Command(
    name = "xdp",
    mixinStandardHelpOptions = true,
    sortOptions = false,
    subcommands = {
        XdpRunCommand.class, XdpCheckCommand.class, XdpLoadCommand.class, XdpUnloadCommand.class, XdpShowCommand.class,
        XdpMapCommand.class, XdpTraceCommand.class},
    description = {
        "",
        "eBPF programs for XDP, as clang compiles them for the kernel: see what is in an object, try it on captured " +
            "frames, put it on the way of a running backend's frames, read and write its maps."})
final class XdpCommand implements Callable<Integer>
{
    @Spec
    private CommandSpec spec;

    @Override
    public Integer call()
    {
        throw new ParameterException(spec.commandLine(), "xdp needs one of its commands");
    }
}
