package io.holdfast.documents;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/**
 * A block of code in a document.
 *
 * @param document the path of the document below the root
 * @param line the line at which the block begins, counted from 1
 * @param language the word after the backquotes, or {@code ""}
 * @param text the lines of the block
 */
record CodeBlock(String document, int line, String language, String text) {

    static final Path ROOT = Path.of("../..").toAbsolutePath().normalize();

    private static final List<String> PAGES = List.of(
            "README.md",
            "CONTRIBUTING.md",
            "SECURITY.md",
            "CHANGELOG.md",
            "examples/inventory/README.md",
            "packaging/README.md",
            "site/pages/front.md");
    /** A block on the website may have a label in brackets. */
    private static final Pattern BLOCK =
            Pattern.compile("^```(\\w*)(?: \\[\\w+])?\\n(.*?)^```$", Pattern.MULTILINE | Pattern.DOTALL);

    private static final Pattern MODULE = Pattern.compile("<module>(.+)</module>");
    private static final Pattern SPAN = Pattern.compile("`([^`\\n]+)`");
    private static final Pattern JAVADOC = Pattern.compile("<pre>\\{@code\\n(.*?)\\n *\\* \\}</pre>", Pattern.DOTALL);

    /** Returns all blocks of all documents. */
    static List<CodeBlock> all() {
        return documents()
                .flatMap(document -> blocks(document, read(document)).stream())
                .toList();
    }

    static List<CodeBlock> of(String language) {
        return all().stream().filter(block -> block.language().equals(language)).toList();
    }

    /** Returns the code within the lines of all documents. */
    static List<CodeBlock> spans() {
        return documents()
                .flatMap(document -> {
                    String text = read(document);
                    String prose = BLOCK.matcher(text)
                            .replaceAll(block ->
                                    "\n".repeat((int) block.group().lines().count() - 1));
                    return found(SPAN, document, prose, 0, 1).stream();
                })
                .toList();
    }

    /** Returns the examples in the Javadoc of all modules. */
    static List<CodeBlock> ofJavadoc() {
        return modules()
                .map(module -> module.resolve("src/main/java"))
                .flatMap(sources -> files(sources, ".java"))
                .flatMap(source -> javadoc(source, read(source)).stream())
                .toList();
    }

    /** Returns the directories of all modules. */
    private static Stream<Path> modules() {
        return MODULE.matcher(read("pom.xml")).results().map(module -> ROOT.resolve(module.group(1)));
    }

    static List<CodeBlock> javadoc(String source, String text) {
        return found(JAVADOC, source, text, 0, 1).stream()
                .map(block ->
                        new CodeBlock(source, block.line(), "java", block.text().replaceAll("(?m)^ *\\* ?", "") + "\n"))
                .toList();
    }

    static List<CodeBlock> blocks(String document, String text) {
        return found(BLOCK, document, text, 1, 2);
    }

    private static List<CodeBlock> found(Pattern pattern, String document, String text, int language, int code) {
        List<CodeBlock> found = new ArrayList<>();
        Matcher matcher = pattern.matcher(text);
        while (matcher.find()) {
            int line = 1
                    + (int) text.substring(0, matcher.start())
                            .chars()
                            .filter(c -> c == '\n')
                            .count();
            found.add(new CodeBlock(document, line, language == 0 ? "" : matcher.group(language), matcher.group(code)));
        }
        return found;
    }

    private static Stream<String> documents() {
        return Stream.concat(PAGES.stream(), files(ROOT.resolve("docs"), ".md"));
    }

    /** Returns the files below a directory whose names end in this way; none if there is no such directory. */
    private static Stream<String> files(Path directory, String end) {
        if (!Files.exists(directory)) {
            return Stream.empty();
        }
        try (Stream<Path> tree = Files.walk(directory)) {
            return tree
                    .map(file -> ROOT.relativize(file).toString())
                    .filter(name -> name.endsWith(end))
                    .sorted()
                    .toList()
                    .stream();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** Returns the paths of all files with this name in the sources of the tests. */
    static Stream<String> tests(String name) {
        return modules().flatMap(module -> files(module.resolve("src/test/java"), "/" + name));
    }

    static String read(String document) {
        try {
            return Files.readString(ROOT.resolve(document));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    String firstLine() {
        return text.lines().findFirst().orElse("");
    }

    @Override
    public String toString() {
        return document + ":" + line + " " + firstLine();
    }
}
