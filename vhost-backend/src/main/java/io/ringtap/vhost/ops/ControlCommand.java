package io.ringtap.vhost.ops;

/** What one command of the control socket does; runs on the control agent's thread, one request at a time. */
@FunctionalInterface
public interface ControlCommand
{
    /**
     * Carries a request out.
     *
     * @return what the answer holds: maps with string keys, lists, strings, numbers, booleans; null for nothing.
     * @throws CommandException saying why not.
     */
    Object run(Request request);
}
