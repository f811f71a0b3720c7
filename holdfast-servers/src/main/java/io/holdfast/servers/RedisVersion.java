package io.holdfast.servers;

import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * What {@code redis-server --version} says.
 *
 * @param product {@code Redis} or {@code Valkey}; each counts its versions by itself
 */
public record RedisVersion(String product, int major, int minor, int patch) {

    private static final Pattern OUTPUT = Pattern.compile("(\\w+) server v=(\\d+)\\.(\\d+)\\.(\\d+)");

    /**
     * Reads the first line of the server's {@code --version}.
     *
     * @throws IllegalArgumentException if there is no version in it
     */
    public static RedisVersion parse(String output) {
        Matcher matcher = OUTPUT.matcher(output);
        if (!matcher.find()) {
            throw new IllegalArgumentException(
                    "No server version such as `Redis server v=7.0.15` in: " + output.strip());
        }
        return new RedisVersion(
                matcher.group(1),
                Integer.parseInt(matcher.group(2)),
                Integer.parseInt(matcher.group(3)),
                Integer.parseInt(matcher.group(4)));
    }

    /** Whether this is the given version of its product or a later one. */
    public boolean isAtLeast(int otherMajor, int otherMinor) {
        return major != otherMajor ? major > otherMajor : minor >= otherMinor;
    }

    @Override
    public String toString() {
        return product + " " + major + "." + minor + "." + patch;
    }
}
