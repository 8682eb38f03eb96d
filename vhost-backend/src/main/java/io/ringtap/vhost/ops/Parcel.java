package io.ringtap.vhost.ops;

import io.ringtap.sys.Fd;

import java.util.List;

/**
 * Descriptors that go with an answer.
 *
 * @param descriptors closed here when the answer was sent, or cannot be.
 * @param afterwards  what happens then.
 */
public record Parcel(List<Fd> descriptors, Runnable afterwards)
{
}
