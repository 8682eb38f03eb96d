package io.ringtap;

import io.ringtap.sys.Fd;

import java.util.List;

/**
 * What a backend leaves to the process that goes on with its NIC.
 *
 * @param socketPath  of the front-end's socket.
 * @param listener    listens there.
 * @param taps        one a queue; none for the null port.
 * @param queues      queue pairs.
 */
public record Handover(String socketPath, Fd listener, List<Fd> taps, int queues)
{
}
