package io.holdfast.benchmarks.contestant;

import java.io.BufferedInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.net.Socket;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;

/**
 * The minimum that any library has to do: {@code SET NX PX}, encoded beforehand, on blocking sockets, to all nodes
 * before the first reply is read. It has no owner, no script and no waiting, and is for one thread.
 */
public final class Floor implements Contestant {

    private final List<Socket> sockets = new ArrayList<>();
    private final List<InputStream> replies = new ArrayList<>();
    private final byte[] set;
    private final byte[] delete;

    /** Connects, for one resource. */
    public Floor(List<String> uris, String resource) {
        try {
            for (String uri : uris) {
                URI address = URI.create(uri);
                Socket socket = new Socket(address.getHost(), address.getPort());
                socket.setTcpNoDelay(true);
                sockets.add(socket);
                replies.add(new BufferedInputStream(socket.getInputStream()));
            }
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        this.set = command("SET", resource, "0123456789012345678901234567890", "NX", "PX", "30000");
        this.delete = command("DEL", resource);
    }

    private static byte[] command(String... words) {
        StringBuilder command = new StringBuilder("*" + words.length + "\r\n");
        for (String word : words) {
            command.append('$')
                    .append(word.length())
                    .append("\r\n")
                    .append(word)
                    .append("\r\n");
        }
        return command.toString().getBytes(StandardCharsets.US_ASCII);
    }

    @Override
    public Runnable acquire(String resource) {
        exchange(set);
        return () -> exchange(delete);
    }

    private void exchange(byte[] command) {
        try {
            for (Socket socket : sockets) {
                OutputStream out = socket.getOutputStream();
                out.write(command);
            }
            for (InputStream reply : replies) {
                int read = reply.read();
                while (read != '\n' && read >= 0) {
                    read = reply.read();
                }
            }
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    @Override
    public void close() {
        for (Socket socket : sockets) {
            try {
                socket.close();
            } catch (IOException e) {
                throw new UncheckedIOException(e);
            }
        }
    }
}
