package io.ringtap.port;

import io.ringtap.sys.Fd;

import java.util.List;

/** Where the descriptors of a TAP-like port come from, and how one is had again after its interface was deleted. */
interface TapSource extends AutoCloseable
{
    /**
     * Opens a descriptor a queue; with what was opened before a failure the caller deals.
     *
     * @throws PortException one line for the user.
     */
    void open(List<TapDevice.Attached> into);

    /** Whether the interface stays when the port goes, so that it is left as it was found. */
    boolean outlives(TapDevice.Attached first);

    /**
     * Makes a descriptor lead to the interface of this name again; its number stays.
     *
     * @throws PortException or {@link io.ringtap.sys.SyscallException} while there is no such interface.
     */
    void reattach(Fd fd, String name, boolean isMultiQueue);

    /** After the descriptors were closed: takes away what was made for them. */
    @Override
    void close();
}
