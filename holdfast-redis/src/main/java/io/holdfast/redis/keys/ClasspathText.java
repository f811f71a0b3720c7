package io.holdfast.redis.keys;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;

/** Reads text files on the class path. */
public final class ClasspathText {

    private ClasspathText() {}

    /** Returns the content of the file in the package of the class. */
    public static String read(Class<?> anchor, String file) {
        try (InputStream in = anchor.getResourceAsStream(file)) {
            if (in == null) {
                throw new IllegalStateException(file + " is missing beside " + anchor);
            }
            return new String(in.readAllBytes(), StandardCharsets.UTF_8);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
