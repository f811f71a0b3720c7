package io.holdfast.checks;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Set;
import java.util.stream.Stream;

/** The files of this repository that people read. */
final class SourceFiles {

    static final Path ROOT = Path.of("../..").toAbsolutePath().normalize();

    private static final Set<String> SKIPPED = Set.of("target", ".git", ".library", ".mirror", "node_modules");

    private SourceFiles() {}

    /** Returns all files whose names end in one of these ways, except those that the build has made. */
    static List<Path> endingWith(String... ends) {
        try (Stream<Path> files = Files.walk(ROOT)) {
            return files.filter(file -> Stream.of(ends).anyMatch(file.toString()::endsWith))
                    .filter(SourceFiles::isSource)
                    .sorted()
                    .toList();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static boolean isSource(Path file) {
        for (Path part : ROOT.relativize(file)) {
            if (SKIPPED.contains(part.toString())) {
                return false;
            }
        }
        return true;
    }

    static String read(Path file) {
        try {
            return Files.readString(file);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** Returns a short form of the path for a message. */
    static String name(Path file) {
        return ROOT.relativize(file).toString();
    }
}
