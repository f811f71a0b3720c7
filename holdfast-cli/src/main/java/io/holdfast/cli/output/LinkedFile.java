package io.holdfast.cli.output;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;

/** The file to which symbolic links lead, which is replaced instead of the links. */
public final class LinkedFile {

    /** Linux follows as many symbolic links. */
    private static final int MOST_LINKS = 40;

    private LinkedFile() {}

    /** Returns the absolute path of the file to which the path leads; it need not exist. */
    public static Path target(Path path) throws IOException {
        Path target = path.toAbsolutePath();
        for (int links = 0; links < MOST_LINKS && Files.isSymbolicLink(target); links++) {
            target = target.resolveSibling(Files.readSymbolicLink(target));
        }
        return target;
    }
}
