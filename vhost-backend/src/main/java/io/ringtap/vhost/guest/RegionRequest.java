package io.ringtap.vhost.guest;

import io.ringtap.sys.Fd;

/**
 * One region of the guest's memory as the front-end describes it: the payload of a region and its descriptor.
 *
 * @param guestAddress    where the guest sees it; descriptors in rings name buffers by it.
 * @param size            bytes.
 * @param frontendAddress where the front-end sees it; ring addresses are given in it.
 * @param mmapOffset      where it begins in the file.
 * @param fd              the file; null when none came with the region, which is refused with a remedy.
 */
public record RegionRequest(long guestAddress, long size, long frontendAddress, long mmapOffset, Fd fd)
{
}
