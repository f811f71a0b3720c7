package io.holdfast.scoreboard.client;

import java.io.BufferedReader;
import java.io.EOFException;
import java.io.IOException;
import java.io.InputStreamReader;
import java.net.InetAddress;
import java.net.Socket;
import java.nio.charset.StandardCharsets;

/** A connection of a client to the witness. */
final class WitnessLink implements AutoCloseable {

    private final Socket socket;
    private final BufferedReader answers;

    WitnessLink(int port) throws IOException {
        socket = new Socket(InetAddress.getLoopbackAddress(), port);
        socket.setTcpNoDelay(true);
        answers = new BufferedReader(new InputStreamReader(socket.getInputStream(), StandardCharsets.US_ASCII));
    }

    /** Sends a line, and returns the answer. */
    synchronized String send(String line) throws IOException {
        socket.getOutputStream().write((line + "\n").getBytes(StandardCharsets.US_ASCII));
        String answer = answers.readLine();
        if (answer == null) {
            throw new EOFException("The witness has ended");
        }
        return answer;
    }

    @Override
    public void close() throws IOException {
        socket.close();
    }
}
