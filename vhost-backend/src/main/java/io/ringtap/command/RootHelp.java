package io.ringtap.command;

/** The prose of {@code ringtap --help}. */
final class RootHelp
{
    static final String[] SYNOPSIS = {
        "ringtap --socket-path=PATH | --fd=N  [--client]  PORT  [options]",
        "       ringtap --config=FILE  [--check]",
        "       ringtap COMMAND [options]"};

    static final String[] DESCRIPTION = {
        "",
        "A vhost-user network backend: connects a virtual machine's NIC to a TAP device of this host, or to another " +
            "PORT. The front-end (QEMU, Cloud Hypervisor, crosvm, DPDK virtio-user) shares the guest's memory; start " +
            "this program first."};

    static final String[] FOOTER = {
        "",
        "SIGTERM and SIGINT close everything and exit 0.",
        "Exit codes: 0 done; 2 bad usage or input; 1 anything else.",
        "",
        "Example, then QEMU with the same path:",
        "  ringtap --socket-path=/run/vm1.sock --tap=tap0 --bridge=br0",
        "  qemu-system-x86_64 -m 1G -machine q35,memory-backend=mem \\",
        "    -object memory-backend-memfd,id=mem,size=1G,share=on \\",
        "    -chardev socket,id=c0,path=/run/vm1.sock,reconnect=1 \\",
        "    -netdev vhost-user,id=n0,chardev=c0 -device virtio-net-pci,netdev=n0 ..."};

    private RootHelp()
    {
    }
}
