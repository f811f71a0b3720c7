package io.holdfast.redis.doctor;

import io.holdfast.redis.connection.ServerInfo;
import io.holdfast.redis.file.ClasspathText;
import java.util.List;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** The servers on which the contract tests of all clients have passed. */
final class TestedServers {

    /** A header, and a line for each server and client; the first column is the server with its full version. */
    static final String FILE = "tested-servers.csv";

    /** A product and its version, such as {@code Redis 7.0.15}; the group ends after the minor version. */
    private static final Pattern SERVER = Pattern.compile("(\\w+ \\d+\\.\\d+)[^,]*,.*");

    private static final Pattern MINOR_VERSION = Pattern.compile("^\\d+\\.\\d+");

    private static final List<String> ALL = ClasspathText.read(TestedServers.class, FILE)
            .lines()
            .map(SERVER::matcher)
            .filter(Matcher::matches)
            .map(server -> server.group(1))
            .distinct()
            .toList();

    private TestedServers() {}

    /** Returns each server with its minor version, such as {@code Redis 7.0}. */
    static List<String> all() {
        return ALL;
    }

    /**
     * Returns the server with this {@code INFO} in the format of {@link #all}, with {@code ?} for what it leaves out.
     */
    static String of(ServerInfo info) {
        Optional<String> valkey = info.text("valkey_version");
        String version = valkey.or(() -> info.text("redis_version")).orElse("?");
        Matcher minor = MINOR_VERSION.matcher(version);
        return (valkey.isPresent() ? "Valkey " : "Redis ") + (minor.find() ? minor.group() : version);
    }
}
