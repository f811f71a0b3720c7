package io.holdfast.faults;

import java.io.EOFException;
import java.io.IOException;
import java.net.InetAddress;
import java.net.Socket;
import java.nio.charset.StandardCharsets;

/** The connection of a client's thread to the witness. */
final class WitnessLink implements AutoCloseable {

    private final Socket socket;

    private WitnessLink(Socket socket) {
        this.socket = socket;
    }

    static WitnessLink to(int port) throws IOException {
        Socket socket = new Socket(InetAddress.getLoopbackAddress(), port);
        socket.setTcpNoDelay(true);
        return new WitnessLink(socket);
    }

    /** Reports the message and returns when the witness has recorded it. */
    void report(String line) throws IOException {
        socket.getOutputStream().write((line + "\n").getBytes(StandardCharsets.US_ASCII));
        if (socket.getInputStream().read() < 0) {
            throw new EOFException("The witness has ended");
        }
    }

    @Override
    public void close() throws IOException {
        socket.close();
    }
}
