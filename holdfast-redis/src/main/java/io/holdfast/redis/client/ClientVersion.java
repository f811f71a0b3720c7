package io.holdfast.redis.client;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.util.Optional;
import java.util.Properties;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * The oldest version of a Redis client that works. The build of an application, or a framework, may have chosen an
 * older one.
 *
 * @param client the name of the client, such as {@code Jedis}
 * @param artifact its Maven coordinates, such as {@code redis.clients:jedis}
 * @param major the first number of the oldest version that works
 * @param minor the second number of that version
 */
public record ClientVersion(String client, String artifact, int major, int minor) {

    private static final Pattern NUMBERS = Pattern.compile("(\\d+)\\.(\\d+)");

    /**
     * Rejects a version that is too old, before a missing method causes a linkage error.
     *
     * @param anchor a class of the client
     * @throws IllegalStateException if the version on the class path is too old; names the version and the remedy
     */
    public void require(Class<?> anchor) {
        found(anchor).ifPresent(this::require);
    }

    /**
     * Returns the version on the class path, or empty if the client was repackaged without its version.
     *
     * @param anchor a class of the client
     */
    public Optional<String> found(Class<?> anchor) {
        String path = "/META-INF/maven/" + artifact.replace(':', '/') + "/pom.properties";
        try (InputStream file = anchor.getResourceAsStream(path)) {
            if (file == null) {
                return Optional.empty();
            }
            Properties properties = new Properties();
            properties.load(file);
            return Optional.ofNullable(properties.getProperty("version"));
        } catch (IOException e) {
            throw new UncheckedIOException("Cannot read " + path, e);
        }
    }

    void require(String version) {
        Matcher numbers = NUMBERS.matcher(version);
        if (numbers.lookingAt() && isTooOld(Integer.parseInt(numbers.group(1)), Integer.parseInt(numbers.group(2)))) {
            throw new IllegalStateException(
                    client + " " + version + " is too old for Holdfast, which needs " + major + "."
                            + minor + " or later; let your build choose a newer " + artifact
                            + " (a framework's list of versions may overrule the one of Holdfast)");
        }
    }

    private boolean isTooOld(int first, int second) {
        return first < major || (first == major && second < minor);
    }
}
