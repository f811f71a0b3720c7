package io.holdfast.checks;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;

/** Each row of the tables in SECURITY.md names a test class, or a test of one, and all of them exist and are tests. */
class NamedTestsTest {

    private static final Pattern ROW = Pattern.compile("(?m)^\\| \\*\\*.*\\|$");
    private static final Pattern CODE = Pattern.compile("`([^`]+)`");
    private static final Pattern TEST_CLASS = Pattern.compile("([A-Z]\\w+(?:Test|Contract))(?:\\.(\\w+))?");
    private static final Pattern TEST_METHOD = Pattern.compile(
            "@(?:Test|ParameterizedTest)\\b(?:(?!@Test|@ParameterizedTest).)*?void (\\w+)\\(", Pattern.DOTALL);
    private static final String WITHOUT_LIMIT = "none";

    /** The test methods of each test class. */
    private static Map<String, Set<String>> tests() {
        return SourceFiles.endingWith("Test.java", "Contract.java").stream()
                .collect(Collectors.toMap(
                        file -> file.getFileName().toString().replace(".java", ""),
                        file -> methods(SourceFiles.read(file)),
                        (one, other) -> one));
    }

    private static Set<String> methods(String source) {
        return TEST_METHOD
                .matcher(source)
                .results()
                .map(method -> method.group(1))
                .collect(Collectors.toSet());
    }

    /** Returns what is wrong with the last column of the rows. */
    private static List<String> wrong(String document, Map<String, Set<String>> tests) {
        return ROW.matcher(document)
                .results()
                .flatMap(row -> wrongInRow(row.group(), tests).stream())
                .toList();
    }

    private static List<String> wrongInRow(String row, Map<String, Set<String>> tests) {
        String[] cells = row.split("\\|", -1);
        String last = cells[cells.length - 2].strip();
        List<String> named =
                CODE.matcher(last).results().map(code -> code.group(1)).toList();
        if (named.isEmpty() && !last.equals(WITHOUT_LIMIT)) {
            return List.of("no test in: " + row);
        }
        return named.stream()
                .filter(name -> !exists(name, tests))
                .map(name -> name + " is no test")
                .toList();
    }

    private static boolean exists(String name, Map<String, Set<String>> tests) {
        var parts = TEST_CLASS.matcher(name);
        if (!parts.matches() || !tests.containsKey(parts.group(1))) {
            return false;
        }
        String method = parts.group(2);
        return method == null || tests.getOrDefault(parts.group(1), Set.of()).contains(method);
    }

    @Test
    void security_limits_areShownByTests() {
        String document = SourceFiles.read(SourceFiles.ROOT.resolve("SECURITY.md"));

        assertThat(wrong(document, tests())).isEmpty();
        assertThat(ROW.matcher(document).results()).hasSizeGreaterThan(20);
    }

    @Test
    void wrong_rowsWithoutATest_areFound() {
        Map<String, Set<String>> tests = Map.of("SomeTest", methods("@Test\n void works_always_well() {"));
        String rows = """
                | **a** | b | `SomeTest` |
                | **a** | b | `SomeTest.works_always_well` |
                | **a** | `SomeTest` | none |
                | **a** | b | `OtherTest` |
                | **a** | b | `SomeTest.fails_always_badly` |
                | **a** | b | a quorum |
                """;

        assertThat(wrong(rows, tests)).hasSize(3);
    }
}
