package io.ringtap.port;

import io.ringtap.sys.Fd;

import java.util.List;

/** The descriptors of a TAP: from the clone device by the TAP's name, or from a parent. */
final class TapOpener implements TapSource
{
    private final TapOptions options;

    TapOpener(final TapOptions options)
    {
        this.options = options;
    }

    @Override
    public void open(final List<TapDevice.Attached> into)
    {
        for (final int number : options.descriptors())
        {
            final TapDevice.Attached queue = TapDevice.adopt(number, options.sendBuffer());
            into.add(queue);
            if (!queue.name().equals(into.get(0).name()))
            {
                throw new PortException("--tap-fd=" + number, "it belongs to " + queue.name() + ", the first to " +
                    into.get(0).name(), "hand over the queues of one TAP", null);
            }
        }
        final int wanted = options.descriptors().isEmpty() ? options.queues() : 0;
        for (int i = 0; i < wanted; i++)
        {
            // The kernel may have numbered the first (tap%d): the others go to the same interface.
            final String name = 0 == i ? options.name() : into.get(0).name();
            into.add(TapDevice.open(name, wanted > 1, options.sendBuffer()));
            if (wanted > 1 && !into.get(0).isMultiQueue())
            {
                throw new PortException(name, "it exists with a single queue, but " + wanted + " are wanted",
                    "use --queues=1, or make it anew with multi_queue", null);
            }
        }
    }

    @Override
    public boolean outlives(final TapDevice.Attached first)
    {
        return first.isPersistent() || !options.descriptors().isEmpty();
    }

    @Override
    public void reattach(final Fd fd, final String name, final boolean isMultiQueue)
    {
        TapDevice.attach(fd, name, isMultiQueue, options.sendBuffer());
    }

    @Override
    public void close()
    {
        // A TAP goes with its descriptors, one that was found stays.
    }
}
