package io.holdfast.cli;

import static org.assertj.core.api.Assertions.assertThat;

import io.holdfast.lease.LeaseState;
import io.holdfast.lease.LossReason;
import io.holdfast.lease.ReleaseOutcome;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** Reads the texts in the sources that a user of the command may see: ASCII, without the words of the programmer. */
class MessagesTest {

    private static final Path ROOT = root();
    private static final List<String> MODULES = List.of("core", "redis", "clients/jedis", "testing/servers", "cli");
    /** A text block or a string, with comments and characters beside them, which are skipped. */
    private static final Pattern TOKEN = Pattern.compile(
            "/\\*.*?\\*/|//[^\\n]*|'(?:\\\\.|[^'\\\\\\n])+'" + "|\"\"\"(.*?)\"\"\"|\"((?:\\\\.|[^\"\\\\\\n])*)\"",
            Pattern.DOTALL);

    private static final Pattern NOT_ASCII =
            Pattern.compile("[^\\p{ASCII}]|\\\\u00[8-9a-f]|\\\\u0[1-9a-f]|\\\\u[1-9a-f]");
    private static final Pattern ISO_DURATION = Pattern.compile("\\bPT\\d");
    private static final Pattern ENUM_NAME =
            Pattern.compile(Stream.of(LeaseState.values(), LossReason.values(), ReleaseOutcome.values())
                    .flatMap(Stream::of)
                    .map(Enum::name)
                    .collect(Collectors.joining("|", "\\b(", ")\\b")));
    /** The names of Java options; the command has others. */
    private static final Pattern JAVA_OPTION =
            Pattern.compile("\\b(maxLease|holdLimit|waitLimit|nodeTimeout|driftShare)\\b");

    private static Path root() {
        Path directory = Path.of("").toAbsolutePath();
        while (!Files.exists(directory.resolve("CHANGELOG.md"))) {
            directory = Optional.ofNullable(directory.getParent()).orElseThrow();
        }
        return directory;
    }

    private static List<Path> sources(String module) {
        try (Stream<Path> files = Files.walk(ROOT.resolve(module + "/src/main/java"))) {
            return files.filter(file -> file.toString().endsWith(".java")).toList();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static Stream<String> found(String source, Pattern wrong) {
        return TOKEN.matcher(source)
                .results()
                .map(MessagesTest::text)
                .filter(text -> wrong.matcher(text).find());
    }

    private static String text(MatchResult token) {
        return token.group(1) != null ? token.group(1) : token.group(2) != null ? token.group(2) : "";
    }

    private static List<String> violations(List<String> modules, Pattern wrong) {
        return modules.stream()
                .flatMap(module -> sources(module).stream())
                .flatMap(file -> found(read(file), wrong).map(text -> file.getFileName() + ": " + text))
                .toList();
    }

    private static String read(Path file) {
        try {
            return Files.readString(file);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    @Test
    void messages_allModulesOfTheCommand_areAsciiWithoutIsoDurations() {
        assertThat(violations(MODULES, NOT_ASCII)).isEmpty();
        assertThat(violations(MODULES, ISO_DURATION)).isEmpty();
    }

    @Test
    void messages_command_containNoNamesOfEnumsOrJavaOptions() {
        assertThat(violations(List.of("cli"), ENUM_NAME)).isEmpty();
        assertThat(violations(List.of("cli", "testing/servers"), JAVA_OPTION)).isEmpty();
    }

    @Test
    void found_wrongTextInACode_isFoundAndCommentsAreNot() {
        String source =
                "/** \u2026 PT1S */ String a = \"lease PT30S\" + 'x'; // \u2026\n String b = \"NOT_HELD \u2026\";";

        assertThat(found(source, ISO_DURATION)).containsExactly("lease PT30S");
        assertThat(found(source, NOT_ASCII)).containsExactly("NOT_HELD \u2026");
        assertThat(found(source, ENUM_NAME)).containsExactly("NOT_HELD \u2026");
        assertThat(found("String c = \"\"\"\n raise maxLease\"\"\";", JAVA_OPTION))
                .hasSize(1);
    }
}
