package io.ringtap.bench.guest;

import java.io.IOException;
import java.net.StandardProtocolFamily;
import java.net.UnixDomainSocketAddress;
import java.nio.channels.ServerSocketChannel;
import java.nio.file.Path;

/** The least that a Java program does to serve a UNIX socket: what a start is measured against. */
public final class BareJvm
{
    private BareJvm()
    {
    }

    public static void main(final String[] args) throws IOException
    {
        final Path path = Path.of(args[0].substring(args[0].indexOf('=') + 1));
        try (ServerSocketChannel server = ServerSocketChannel.open(StandardProtocolFamily.UNIX))
        {
            server.bind(UnixDomainSocketAddress.of(path));
            server.accept();
        }
    }
}
