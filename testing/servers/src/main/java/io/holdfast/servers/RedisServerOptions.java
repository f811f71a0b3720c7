package io.holdfast.servers;

import io.holdfast.servers.binary.RedisBinary;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The options with which a {@link RedisServer} is started. The server always listens on the loopback address only.
 *
 * @param binary the server to run, or null for {@link RedisBinary#find()}
 * @param port the port to listen on, or 0 for a free one
 * @param directory the directory of configuration, log and data, which is kept; or null for a temporary one
 * @param appendonly the persistence of the data
 * @param password the password that clients must send, or null for none
 * @param extraConfig further lines of redis.conf; they come last and override the others
 */
public record RedisServerOptions(
        @Nullable RedisBinary binary,
        int port,
        @Nullable Path directory,
        Appendonly appendonly,
        @Nullable String password,
        List<String> extraConfig) {

    /** A free port, a temporary directory, no persistence, no password. */
    public static final RedisServerOptions DEFAULT =
            new RedisServerOptions(null, 0, null, Appendonly.NONE, null, List.of());

    public RedisServerOptions {
        if (port < 0 || port > 65_535) {
            throw new IllegalArgumentException("A port is 1 to 65535, or 0 for one that is free, not " + port);
        }
        if (password != null && !password.chars().allMatch(c -> c > ' ' && c < 0x7f && c != '"' && c != '\\')) {
            throw new IllegalArgumentException("A password for a test server is made of printable ASCII characters"
                    + " without spaces, quotes and backslashes; choose another");
        }
        extraConfig = List.copyOf(extraConfig);
    }

    public RedisServerOptions withBinary(RedisBinary newBinary) {
        return new RedisServerOptions(newBinary, port, directory, appendonly, password, extraConfig);
    }

    public RedisServerOptions withPort(int newPort) {
        return new RedisServerOptions(binary, newPort, directory, appendonly, password, extraConfig);
    }

    public RedisServerOptions withDirectory(Path newDirectory) {
        return new RedisServerOptions(binary, port, newDirectory, appendonly, password, extraConfig);
    }

    public RedisServerOptions withAppendonly(Appendonly newAppendonly) {
        return new RedisServerOptions(binary, port, directory, newAppendonly, password, extraConfig);
    }

    public RedisServerOptions withPassword(String newPassword) {
        return new RedisServerOptions(binary, port, directory, appendonly, newPassword, extraConfig);
    }

    /** Adds one line of redis.conf, such as {@code maxmemory 10mb}. */
    public RedisServerOptions withConfig(String line) {
        List<String> lines = new ArrayList<>(extraConfig);
        lines.add(line);
        return new RedisServerOptions(binary, port, directory, appendonly, password, lines);
    }

    /** Returns the lines of redis.conf for a server with this port and data directory. */
    List<String> config(int listenPort, Path data) {
        List<String> lines = new ArrayList<>(List.of(
                "bind 127.0.0.1",
                "port " + listenPort,
                "protected-mode yes",
                "daemonize no",
                "dir \"" + data + "\"",
                "save \"\"",
                "appendonly " + (appendonly.isOn() ? "yes" : "no"),
                "appendfsync " + appendonly.fsync()));
        if (password != null) {
            lines.add("requirepass \"" + password + "\"");
        }
        lines.addAll(extraConfig);
        return lines;
    }

    /** Returns everything but the password. */
    @Override
    public String toString() {
        return "RedisServerOptions[binary=" + binary + ", port=" + port + ", directory=" + directory + ", appendonly="
                + appendonly + ", password=" + (password == null ? "none" : "***") + ", extraConfig=" + extraConfig
                + "]";
    }
}
