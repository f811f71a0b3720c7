package io.holdfast.servers.binary;

import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * The version that {@code redis-server --version} reports.
 *
 * @param product {@code Redis} or {@code Valkey}, whose version numbers are independent
 */
public record RedisVersion(String product, int major, int minor, int patch) {

    private static final Pattern OUTPUT = Pattern.compile("(\\w+) server v=(\\d+)\\.(\\d+)\\.(\\d+)");

    /**
     * Parses the output of {@code --version}.
     *
     * @throws IllegalArgumentException if it contains no version
     */
    public static RedisVersion parse(String output) {
        Matcher matcher = OUTPUT.matcher(output);
        if (!matcher.find()) {
            throw new IllegalArgumentException("no server version such as `Redis server v=7.0.15` in: "
                    + output.lines().findFirst().orElse("no output"));
        }
        return new RedisVersion(
                matcher.group(1),
                Integer.parseInt(matcher.group(2)),
                Integer.parseInt(matcher.group(3)),
                Integer.parseInt(matcher.group(4)));
    }

    /** Returns true if this is the given version of its product or a later one. */
    public boolean isAtLeast(int otherMajor, int otherMinor) {
        return major != otherMajor ? major > otherMajor : minor >= otherMinor;
    }

    @Override
    public String toString() {
        return product + " " + major + "." + minor + "." + patch;
    }
}
