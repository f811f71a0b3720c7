package io.holdfast.redis.doctor;

import io.holdfast.redis.keys.ClasspathText;
import java.util.List;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** With which servers the contracts of all clients have been run, from the results of the tests themselves. */
final class TestedServers {

    /** The table of {@code docs/nodes.md}. */
    private static final String TABLE = ClasspathText.read(TestedServers.class, "tested.md");

    private static final Pattern ROW = Pattern.compile("^\\| (\\w+ \\d+\\.\\d+)", Pattern.MULTILINE);

    private static final Pattern NUMBERS = Pattern.compile("^\\d+\\.\\d+");

    private TestedServers() {}

    /** Each with the first two numbers of its version, such as {@code Redis 7.0}. */
    static List<String> all() {
        return ROW.matcher(TABLE).results().map(row -> row.group(1)).distinct().toList();
    }

    /** What a server is by its {@code INFO}, in the same words. */
    static String of(Map<String, String> info) {
        String valkey = info.get("valkey_version");
        String version = valkey == null ? info.getOrDefault("redis_version", "?") : valkey;
        Matcher numbers = NUMBERS.matcher(version);
        return (valkey == null ? "Redis " : "Valkey ") + (numbers.find() ? numbers.group() : version);
    }
}
