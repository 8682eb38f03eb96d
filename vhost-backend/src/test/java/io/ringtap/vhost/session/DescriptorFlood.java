package io.ringtap.vhost.session;

import java.nio.ByteBuffer;
import java.nio.ByteOrder;

import jnr.posix.CmsgHdr;
import jnr.posix.MsgHdr;
import jnr.posix.POSIX;
import jnr.posix.POSIXFactory;

/** Sends more descriptors with a message than our own transport would: by jnr-posix. */
final class DescriptorFlood
{
    private static final int SOL_SOCKET = 1;
    private static final int SCM_RIGHTS = 1;

    private DescriptorFlood()
    {
    }

    static int send(final int socket, final byte[] message, final int[] descriptors)
    {
        final POSIX posix = POSIXFactory.getNativePOSIX();
        final ByteBuffer bytes = ByteBuffer.allocateDirect(message.length);
        bytes.put(message).flip();
        final ByteBuffer numbers = ByteBuffer.allocateDirect(descriptors.length * Integer.BYTES)
            .order(ByteOrder.nativeOrder());
        for (final int descriptor : descriptors)
        {
            numbers.putInt(descriptor);
        }

        numbers.flip();
        final MsgHdr header = posix.allocateMsgHdr();
        header.setIov(new ByteBuffer[]{bytes});
        final CmsgHdr control = header.allocateControl(numbers.remaining());
        control.setLevel(SOL_SOCKET);
        control.setType(SCM_RIGHTS);
        control.setData(numbers);
        return posix.sendmsg(socket, header, 0);
    }
}
