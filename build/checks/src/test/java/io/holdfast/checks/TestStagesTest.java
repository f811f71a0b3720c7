package io.holdfast.checks;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** No test is lost: each runs in {@code test}, in {@code verify} or in the evidence. */
class TestStagesTest {

    /** The sources that are examples here are not those of tests. */
    private static final String OWN = "TestStagesTest.java";

    private static final Set<String> TAGS = Set.of("server", "process", "slow", "evidence", "nightly");
    private static final Pattern TAG = Pattern.compile("(?m)^ *@Tag\\(([^)]*)\\)$");
    private static final Pattern DOCUMENTED_TAG = Pattern.compile("(?m)^\\| `(\\w+)` \\|");
    private static final Pattern TEST_CLASS = Pattern.compile("(?m)^(?:final |public |internal )*class (\\w+Test)\\b");

    private static List<Path> tests() {
        return SourceFiles.endingWith(".java", ".kt").stream()
                .filter(file -> SourceFiles.name(file).contains("src/test/")
                        || SourceFiles.name(file).startsWith("evidence/testkit/"))
                .filter(file -> !file.endsWith(OWN))
                .toList();
    }

    private static Stream<String> all(Pattern pattern, String content) {
        return pattern.matcher(content).results().map((MatchResult match) -> match.group(1));
    }

    private static String pom() {
        return SourceFiles.read(SourceFiles.ROOT.resolve("pom.xml"));
    }

    private static String stages() {
        String page = SourceFiles.read(SourceFiles.ROOT.resolve("docs/build.md"));
        int begin = page.indexOf("## Which tests run when");
        return page.substring(begin, page.indexOf("\n## ", begin + 1));
    }

    /** Returns the poms that keep tests of their module from running. */
    private static List<String> skipping(String pom, List<String> sources) {
        List<String> wrong = new ArrayList<>();
        boolean hasUnitTests = sources.stream().anyMatch(source -> !isTagged(source));
        boolean hasTagged =
                sources.stream().anyMatch(source -> TAG.matcher(source).find());
        if (pom.contains("<skip.unit.tests>true") && hasUnitTests) {
            wrong.add("unit tests are skipped");
        }
        if (pom.contains("<skipITs>true") && hasTagged) {
            wrong.add("tests with tags are skipped");
        }
        return wrong;
    }

    /** Returns whether all classes of this source have tags. */
    private static boolean isTagged(String source) {
        long classes = TEST_CLASS.matcher(source).results().count();
        return source.lines().filter(line -> line.startsWith("@Tag(")).count() >= classes;
    }

    @Test
    void tags_ofAllTests_areThoseOfTheTable() {
        Set<String> used = tests().stream()
                .flatMap(file -> all(TAG, SourceFiles.read(file)))
                .map(tag -> tag.replace("\"", ""))
                .collect(Collectors.toSet());

        assertThat(used).isEqualTo(TAGS);
        assertThat(all(DOCUMENTED_TAG, stages())).containsExactlyInAnyOrderElementsOf(TAGS);
    }

    @Test
    void pom_stages_runAllTags() {
        assertThat(pom())
                .contains("<verify.groups>server | process | slow</verify.groups>")
                .contains("<verify.groups>server | process | slow | evidence</verify.groups>")
                .containsOnlyOnce("<verify.excludedGroups>evidence</verify.excludedGroups>")
                .containsOnlyOnce("<verify.excludedGroups>none</verify.excludedGroups>")
                .containsOnlyOnce("<excludedGroups>server,process,slow,evidence</excludedGroups>");
        assertThat(SourceFiles.read(SourceFiles.ROOT.resolve(".ci/run")))
                .contains("mvn -B -ntp clean verify\n")
                .contains("verify -Pevidence -Dverify.groups=\"evidence | slow\" -Dverify.excludedGroups=nightly");
    }

    @Test
    void modules_skippedPlugins_wouldFindNoTest() {
        List<Path> poms = SourceFiles.endingWith("/pom.xml");
        List<String> wrong = new ArrayList<>();
        for (Path pom : poms) {
            Path tests = pom.resolveSibling("src/test");
            List<String> sources = SourceFiles.endingWith("Test.java", "Test.kt", "Contract.kt").stream()
                    .filter(file -> file.startsWith(tests) && !file.endsWith(OWN))
                    .map(SourceFiles::read)
                    .filter(source -> TEST_CLASS.matcher(source).find())
                    .toList();
            skipping(SourceFiles.read(pom), sources)
                    .forEach(reason -> wrong.add(SourceFiles.name(pom) + ": " + reason));
        }

        assertThat(wrong).isEmpty();
    }

    @Test
    void skipping_moduleWithSuchTests_isFound() {
        String unit = "class UnitTest {}\n";
        String tagged = "@Tag(\"server\")\nclass TaggedTest {}\n";
        String method = "class MixedTest {\n    @Tag(\"slow\")\n    void runs_often_well() {}\n}\n";

        assertThat(skipping("<skip.unit.tests>true", List.of(unit, tagged))).hasSize(1);
        assertThat(skipping("<skipITs>true", List.of(unit, method))).hasSize(1);
        assertThat(skipping("<skip.unit.tests>true", List.of(tagged))).isEmpty();
        assertThat(skipping("<skipITs>true", List.of(unit))).isEmpty();
    }
}
