package io.ringtap.command;

import java.util.List;

/** What a user can do about the failures that first-time users meet. */
final class Remedies
{
    /**
     * @param object what the message must name: a call or a path; empty for any.
     * @param errno  name of the errno in the message.
     * @param remedy what to do.
     */
    private record Remedy(String object, String errno, String remedy)
    {
        boolean fits(final String message)
        {
            return message.contains(object) && message.contains(errno);
        }
    }

    /** The first that fits is told: the special ones come first. */
    private static final List<Remedy> REMEDIES = List.of(
        new Remedy("/dev/net/tun", "ENOENT", "load the module: modprobe tun"),
        new Remedy("/dev/net/tun", "EACCES", "run as root, or pass a TAP opened by a privileged parent with --tap-fd"),
        new Remedy("/dev/net/tun", "EPERM", "run as root, or pass a TAP opened by a privileged parent with --tap-fd"),
        new Remedy("TUNSETIFF", "EPERM", "run with CAP_NET_ADMIN, or pass an open TAP with --tap-fd"),
        new Remedy("TUNSETIFF", "EBUSY", "another process holds this TAP: stop it or choose another name"),
        new Remedy("TUNSETIFF", "EINVAL", "the interface is no TAP, or was made with another number of queues"),
        new Remedy("bind", "EADDRINUSE", "another process listens there: stop it or choose another path"),
        new Remedy("bind", "ENOENT", "make the directory first"),
        new Remedy("bind", "EACCES", "choose a directory that this user may write to"),
        new Remedy("", "EMFILE", "raise the limit of open files: ulimit -n"));

    private Remedies()
    {
    }

    /** The failure's own message, with the remedy behind it when one is known. */
    static String describe(final Throwable failure)
    {
        final String message = null == failure.getMessage() ? failure.toString() : failure.getMessage();
        for (final Remedy remedy : REMEDIES)
        {
            if (remedy.fits(message))
            {
                return message + "; " + remedy.remedy();
            }
        }
        return message;
    }
}
