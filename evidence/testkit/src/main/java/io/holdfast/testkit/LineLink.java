package io.holdfast.testkit;

import java.io.BufferedReader;
import java.io.EOFException;
import java.io.IOException;
import java.io.InputStream;
import java.io.InputStreamReader;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.Socket;
import java.nio.charset.StandardCharsets;

/** A connection to a {@link LineServer}, or to a process that answers each line of its input. Thread-safe. */
public final class LineLink implements AutoCloseable {

    private final BufferedReader answers;
    private final OutputStream lines;

    private LineLink(InputStream answers, OutputStream lines) {
        this.answers = new BufferedReader(new InputStreamReader(answers, StandardCharsets.UTF_8));
        this.lines = lines;
    }

    /** Connects to the server on this port. */
    public static LineLink to(int port) throws IOException {
        Socket socket = new Socket(InetAddress.getLoopbackAddress(), port);
        socket.setTcpNoDelay(true);
        return new LineLink(socket.getInputStream(), socket.getOutputStream());
    }

    /** Returns the link to a process that has started. */
    public static LineLink to(Process process) {
        return new LineLink(process.getInputStream(), process.getOutputStream());
    }

    /** Sends a line, and returns the answer. */
    public synchronized String send(String line) throws IOException {
        lines.write((line + "\n").getBytes(StandardCharsets.UTF_8));
        lines.flush();
        String answer = answers.readLine();
        if (answer == null) {
            throw new EOFException("The other process has ended; the line was: " + line);
        }
        return answer;
    }

    /** Ends the connection, or the input of the process. */
    @Override
    public void close() throws IOException {
        lines.close();
    }
}
