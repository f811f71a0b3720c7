package io.holdfast.servers;

import io.holdfast.servers.binary.RedisBinary;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The options with which a {@link RedisServer} is started. It listens on a free port of the loopback address, and keeps
 * its files in a temporary directory.
 *
 * @param binary the server to run, or null for {@link RedisBinary#find()}
 * @param appendonly the persistence of the data
 * @param password the password that clients must send, or null for none
 * @param extraConfig further lines of redis.conf; they come last and override the others
 */
public record RedisServerOptions(
        @Nullable RedisBinary binary,
        Appendonly appendonly,
        @Nullable String password,
        List<String> extraConfig) {

    /** No persistence, no password. */
    public static final RedisServerOptions DEFAULT = new RedisServerOptions(null, Appendonly.NONE, null, List.of());

    public RedisServerOptions {
        if (password != null && !password.chars().allMatch(c -> c > ' ' && c < 0x7f && c != '"' && c != '\\')) {
            throw new IllegalArgumentException("A password for a test server is made of printable ASCII characters"
                    + " without spaces, quotes and backslashes; choose another");
        }
        extraConfig = List.copyOf(extraConfig);
    }

    public RedisServerOptions withBinary(RedisBinary newBinary) {
        return new RedisServerOptions(newBinary, appendonly, password, extraConfig);
    }

    public RedisServerOptions withAppendonly(Appendonly newAppendonly) {
        return new RedisServerOptions(binary, newAppendonly, password, extraConfig);
    }

    public RedisServerOptions withPassword(String newPassword) {
        return new RedisServerOptions(binary, appendonly, newPassword, extraConfig);
    }

    /** Adds one line of redis.conf, such as {@code maxmemory 10mb}. */
    public RedisServerOptions withConfig(String line) {
        List<String> lines = new ArrayList<>(extraConfig);
        lines.add(line);
        return new RedisServerOptions(binary, appendonly, password, lines);
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
        return "RedisServerOptions[binary=" + binary + ", appendonly="
                + appendonly + ", password=" + (password == null ? "none" : "***") + ", extraConfig=" + extraConfig
                + "]";
    }
}
