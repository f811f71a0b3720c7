package io.holdfast.redis.file;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.Optional;

/** Reads text files on the class path. */
public final class ClasspathText {

    private ClasspathText() {}

    /** Returns the content of the file in the package of the class, which must exist. */
    public static String read(Class<?> anchor, String file) {
        return find(anchor, file).orElseThrow(() -> new IllegalStateException(file + " is missing beside " + anchor));
    }

    /** Returns the content of the file in the package of the class, if there is such a file. */
    public static Optional<String> find(Class<?> anchor, String file) {
        return findAtRoot(anchor.getPackageName().replace('.', '/') + "/" + file, anchor);
    }

    /**
     * Returns the content of the file at the root of the class path or below it, if there is such a file.
     *
     * @param path the path from the root of the class path, such as {@code META-INF/MANIFEST.MF}
     * @param anchor a class of the jar that contains the file
     */
    public static Optional<String> findAtRoot(String path, Class<?> anchor) {
        Optional<String> recorded = RecordedFiles.find(path);
        return recorded.isPresent() ? recorded : read(path, anchor);
    }

    private static Optional<String> read(String path, Class<?> anchor) {
        try (InputStream in = anchor.getResourceAsStream("/" + path)) {
            return in == null ? Optional.empty() : Optional.of(new String(in.readAllBytes(), StandardCharsets.UTF_8));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
