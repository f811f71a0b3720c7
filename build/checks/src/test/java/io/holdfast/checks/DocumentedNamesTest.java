package io.holdfast.checks;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Function;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;

class DocumentedNamesTest {

    private static final Pattern TEST_METHOD = Pattern.compile("\\b[a-z]\\w*_\\w+");

    private static final Map<String, String> SMALL =
            Map.of("src/Lease.java", "class Lease { void release() {} }", "run.sh", "case --wait) ;;");

    @Test
    void documents_nameOnlyWhatExists() throws Exception {
        DocumentedNames names = DocumentedNames.of(sources(SourceFiles::read), foreign());
        List<String> missing = SourceFiles.endingWith(".md", "faults.txt", "scenarios.txt", "simulation.txt").stream()
                .flatMap(file -> names.missing(SourceFiles.name(file), SourceFiles.read(file)).stream())
                .toList();
        assertThat(missing).isEmpty();
    }

    /** An option that is gone must not be the remedy of a message. What only prose mentions does not exist. */
    @Test
    void messagesAndComments_nameOnlyWhatExists() throws Exception {
        DocumentedNames names = DocumentedNames.of(
                sources(file -> Passage.code(SourceFiles.name(file), SourceFiles.read(file))), foreign());
        List<String> missing = SourceFiles.endingWith(".java").stream()
                .filter(file -> SourceFiles.name(file).contains("/src/main/"))
                .flatMap(file -> names.missingInProse(SourceFiles.name(file), SourceFiles.read(file)).stream())
                .toList();
        assertThat(missing).isEmpty();
    }

    private static Map<String, String> sources(Function<Path, String> reader) {
        return SourceFiles.endingWith(
                        ".java",
                        ".kt",
                        ".lua",
                        ".als",
                        ".sh",
                        ".xml",
                        ".py",
                        ".js",
                        ".c",
                        "/run",
                        "/holdfast",
                        "/verify")
                .stream()
                .filter(Files::isRegularFile)
                .collect(Collectors.toMap(SourceFiles::name, reader));
    }

    private static Set<String> foreign() throws IOException {
        return Set.copyOf(Files.readAllLines(Path.of("src/test/resources/io/holdfast/checks/foreign-names.txt")));
    }

    /** A patch that switches a safeguard off names the tests that detect it. */
    @Test
    void patches_nameOnlyTestsThatExist() {
        String sources = SourceFiles.endingWith("Test.java", "Contract.java").stream()
                .map(SourceFiles::read)
                .collect(Collectors.joining());
        List<String> missing = SourceFiles.endingWith(".patch").stream()
                .flatMap(patch -> namedTests(SourceFiles.read(patch)).stream())
                .filter(test -> !sources.contains("void " + test + "("))
                .toList();
        assertThat(missing).isEmpty();
    }

    private static List<String> namedTests(String patch) {
        return patch.lines()
                .filter(line -> line.startsWith("# test:"))
                .flatMap(line -> TEST_METHOD.matcher(line).results())
                .map(MatchResult::group)
                .toList();
    }

    @Test
    void namedTests_lineOfAPatch_areItsMethods() {
        assertThat(namedTests("# test: AbcTest.call_a_b, call_c_d, DefTest\n+    void call_e_f() {\n"))
                .containsExactly("call_a_b", "call_c_d");
    }

    @Test
    void missing_unknownClassMemberOrOption_areFound() {
        DocumentedNames names = DocumentedNames.of(SMALL, Set.of());
        assertThat(names.missing("a.md", "`LockLease` `Lease.extend` `--forever`"))
                .hasSize(3);
    }

    @Test
    void missing_knownNames_areNone() {
        DocumentedNames names = DocumentedNames.of(SMALL, Set.of("SkipLocked"));
        assertThat(names.missing("a.md", "`Lease.release` with `--wait` and `SkipLocked`"))
                .isEmpty();
    }

    @Test
    void missingInProse_onlyMentioned_isFound() {
        String source = """
                /** Needs {@code withReplicas}, like {@code maxLease}. */
                class Wait { Object maxLease = "without withPause"; Object name = "fullName"; }
                """;
        DocumentedNames names =
                DocumentedNames.of(Map.of("src/Wait.java", Passage.code("src/Wait.java", source)), Set.of());
        assertThat(names.missingInProse("src/Wait.java", source))
                .containsExactly(
                        "src/Wait.java: withReplicas does not exist", "src/Wait.java: withPause does not exist");
    }
}
