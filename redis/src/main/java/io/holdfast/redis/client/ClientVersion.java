package io.holdfast.redis.client;

import io.holdfast.redis.file.ClasspathText;
import java.util.Optional;

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

    private static final String VERSION = "version=";

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
        String path = "META-INF/maven/" + artifact.replace(':', '/') + "/pom.properties";
        return ClasspathText.findAtRoot(path, anchor)
                .flatMap(text ->
                        text.lines().filter(line -> line.startsWith(VERSION)).findFirst())
                .map(line -> line.substring(VERSION.length()).strip());
    }

    /**
     * Returns whether the version on the class path has a class that older ones lack.
     *
     * @param anchor a class of the client
     */
    public static boolean hasClass(String name, Class<?> anchor) {
        try {
            Class.forName(name, false, anchor.getClassLoader());
            return true;
        } catch (ClassNotFoundException older) {
            return false;
        }
    }

    void require(String version) {
        String[] numbers = version.split("\\.", -1);
        if (numbers.length > 1 && isTooOld(leadingNumber(numbers[0]), leadingNumber(numbers[1]))) {
            throw new IllegalStateException(
                    client + " " + version + " is too old for Holdfast, which needs " + major + "."
                            + minor + " or later; let your build choose a newer " + artifact
                            + " (a framework's list of versions may overrule the one of Holdfast)");
        }
    }

    /** Returns the number at the start of this part of a version; the greatest number if there is none. */
    private static int leadingNumber(String part) {
        int end = 0;
        while (end < part.length() && Character.isDigit(part.charAt(end))) {
            end++;
        }
        return end == 0 ? Integer.MAX_VALUE : Integer.parseInt(part.substring(0, end));
    }

    private boolean isTooOld(int first, int second) {
        return first < major || (first == major && second < minor);
    }
}
