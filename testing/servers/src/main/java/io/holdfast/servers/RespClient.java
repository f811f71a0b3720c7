package io.holdfast.servers;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.io.BufferedInputStream;
import java.io.ByteArrayOutputStream;
import java.io.EOFException;
import java.io.IOException;
import java.io.InputStream;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** A blocking RESP2 connection, so that tests can read keys without the client under test. */
public final class RespClient implements AutoCloseable {

    private final Socket socket = new Socket();
    private final InputStream in;

    /** Connects to a port of this machine; each read waits at most for the timeout. */
    public RespClient(int port, Duration timeout) throws IOException {
        int timeoutMillis = Math.toIntExact(timeout.toMillis());
        try {
            socket.connect(new InetSocketAddress(InetAddress.getLoopbackAddress(), port), timeoutMillis);
            socket.setSoTimeout(timeoutMillis);
            socket.setTcpNoDelay(true);
            in = new BufferedInputStream(socket.getInputStream());
        } catch (IOException e) {
            socket.close();
            throw e;
        }
    }

    /** Sends the command and waits for its reply: a String, a Long, a List of them, or null. */
    @Nullable
    public Object exec(String... command) throws IOException {
        send(command);
        return receive();
    }

    public void send(String... command) throws IOException {
        ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        bytes.writeBytes(("*" + command.length + "\r\n").getBytes(UTF_8));
        for (String word : command) {
            byte[] content = word.getBytes(UTF_8);
            bytes.writeBytes(("$" + content.length + "\r\n").getBytes(UTF_8));
            bytes.writeBytes(content);
            bytes.writeBytes("\r\n".getBytes(UTF_8));
        }
        socket.getOutputStream().write(bytes.toByteArray());
    }

    @Nullable
    public Object receive() throws IOException {
        String line = readLine();
        String rest = line.substring(1);
        return switch (line.charAt(0)) {
            case '+' -> rest;
            case '-' -> throw new RedisReplyException(rest);
            case ':' -> Long.valueOf(rest);
            case '$' -> readString(Integer.parseInt(rest));
            case '*' -> readList(Integer.parseInt(rest));
            default -> throw new IOException("Not a RESP2 reply: " + line);
        };
    }

    private @Nullable String readString(int length) throws IOException {
        if (length < 0) {
            return null;
        }
        byte[] content = in.readNBytes(length);
        String end = readLine();
        if (content.length < length || !end.isEmpty()) {
            throw new EOFException("The connection ended within a reply");
        }
        return new String(content, UTF_8);
    }

    private @Nullable List<@Nullable Object> readList(int length) throws IOException {
        if (length < 0) {
            return null;
        }
        List<@Nullable Object> elements = new ArrayList<>();
        for (int i = 0; i < length; i++) {
            elements.add(receive());
        }
        return elements;
    }

    private String readLine() throws IOException {
        ByteArrayOutputStream line = new ByteArrayOutputStream();
        for (int next = in.read(); next != '\r'; next = in.read()) {
            if (next < 0) {
                throw new EOFException("The server closed the connection");
            }
            line.write(next);
        }
        if (in.read() != '\n') {
            throw new IOException("Not a RESP2 reply: no line feed after " + line.toString(UTF_8));
        }
        return line.toString(UTF_8);
    }

    @Override
    public void close() throws IOException {
        socket.close();
    }
}
