package io.holdfast.checks;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.FileVisitResult;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.SimpleFileVisitor;
import java.nio.file.attribute.BasicFileAttributes;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Function;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** The files of this repository that people read. */
final class SourceFiles {

    static final Path ROOT = Path.of("../..").toAbsolutePath().normalize();

    private static final Set<String> SKIPPED = Set.of("target", ".git", ".library", ".mirror", "node_modules");

    /**
     * All files, except those that the build has made. Their directories are not entered: other modules of the same
     * build may be writing there.
     */
    private static final List<Path> ALL = walk();

    private static final Pattern MODULE = Pattern.compile("<module>(.+)</module>");
    private static final Pattern ARTIFACT = Pattern.compile("(?m)^  <artifactId>(.+)</artifactId>");

    private SourceFiles() {}

    /** Returns all files whose names end in one of these ways, except those that the build has made. */
    static List<Path> endingWith(String... ends) {
        return ALL.stream()
                .filter(file -> Stream.of(ends).anyMatch(file.toString()::endsWith))
                .toList();
    }

    private static List<Path> walk() {
        List<Path> found = new ArrayList<>();
        try {
            Files.walkFileTree(ROOT, new SimpleFileVisitor<>() {
                @Override
                public FileVisitResult preVisitDirectory(Path directory, BasicFileAttributes attributes) {
                    boolean skipped = SKIPPED.contains(directory.getFileName().toString());
                    return skipped ? FileVisitResult.SKIP_SUBTREE : FileVisitResult.CONTINUE;
                }

                @Override
                public FileVisitResult visitFile(Path file, BasicFileAttributes attributes) {
                    found.add(file);
                    return FileVisitResult.CONTINUE;
                }
            });
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        Collections.sort(found);
        return List.copyOf(found);
    }

    /** Returns the directories of the modules of the build that are published, by the names of their artifacts. */
    static Map<String, Path> publishedModules() {
        return MODULE.matcher(read(ROOT.resolve("pom.xml")))
                .results()
                .map(module -> ROOT.resolve(module.group(1)))
                .filter(module -> read(module.resolve("pom.xml")).contains("<maven.deploy.skip>false"))
                .collect(Collectors.toMap(SourceFiles::artifact, Function.identity()));
    }

    private static String artifact(Path module) {
        Matcher artifact = ARTIFACT.matcher(read(module.resolve("pom.xml")));
        if (!artifact.find()) {
            throw new IllegalStateException("No artifact in " + module);
        }
        return artifact.group(1);
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
