package io.holdfast.redis.file;

import java.util.Optional;

/**
 * Files of the class path that a build has copied into this class. A short process that finds them here need not open
 * its jar, which takes it some milliseconds.
 */
final class RecordedFiles {

    private static final String SEPARATOR = "\0";

    /** Paths, each followed by its content, with a separator around each. A build may replace this text. */
    private static final String TEXT = none();

    private RecordedFiles() {}

    private static String none() {
        return "";
    }

    /** Returns the content of the file with this absolute path, if a build has recorded it. */
    static Optional<String> find(String path) {
        return find(path, TEXT);
    }

    static Optional<String> find(String path, String text) {
        String name = SEPARATOR + path + SEPARATOR;
        int start = text.indexOf(name) + name.length();
        return start < name.length()
                ? Optional.empty()
                : Optional.of(text.substring(start, text.indexOf(SEPARATOR, start)));
    }
}
