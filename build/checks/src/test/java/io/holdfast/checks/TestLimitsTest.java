package io.holdfast.checks;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import java.util.List;
import java.util.Set;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/**
 * A limit of its own makes a test depend on the speed of the machine. A test waits with the bound of {@code
 * Eventually}, or without one: {@code test.timeout} in the root pom ends all tests.
 */
class TestLimitsTest {

    private static final Pattern LIMIT =
            Pattern.compile("@Timeout\\b|assertTimeout|Thread\\.sleep\\(|\\.orTimeout\\(|(?:get|waitFor)\\([0-9A-Z_]+, "
                    + "(?:TimeUnit\\.)?[A-Z]+\\)");

    /** The first pauses in the process that the test starts; the second has examples of waits. */
    private static final Set<String> EXCEPT = Set.of("ThreadStartsTest.java", "WaitsTest.java", "TestLimitsTest.java");

    private static Stream<String> limits(Path file) {
        return LIMIT.matcher(SourceFiles.read(file)).results().map(match -> file.getFileName() + ": " + match.group());
    }

    @Test
    void tests_all_haveNoLimitsOfTheirOwn() {
        List<String> found = SourceFiles.endingWith(".java", ".kt").stream()
                .filter(file -> SourceFiles.name(file).contains("src/test/")
                        || SourceFiles.name(file).startsWith("evidence/testkit/"))
                .filter(file -> !EXCEPT.contains(String.valueOf(file.getFileName())))
                .flatMap(TestLimitsTest::limits)
                .toList();

        assertThat(found).as("use Eventually, or no limit").isEmpty();
    }

    @Test
    void limit_eachForm_isFound() {
        assertThat(Stream.of(
                        "@Timeout(120)",
                        "Thread.sleep(2)",
                        "f.get(60, TimeUnit.SECONDS)",
                        "p.waitFor(LIMIT, SECONDS)",
                        "f.orTimeout(1, SECONDS)",
                        "assertTimeout(limit, call)"))
                .allMatch(source -> LIMIT.matcher(source).find());
        assertThat(LIMIT.matcher("f.get()").find()).isFalse();
    }
}
