package io.holdfast.documents;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.Set;

/** Checks a call of Maven: its goals, modules, profiles and tests exist. */
final class MavenCall {

    private static final Set<String> GOALS = Set.of("test", "verify", "package", "install", "spotless:apply");

    private MavenCall() {}

    static void check(List<String> words) {
        for (int i = 0; i < words.size(); i++) {
            String word = words.get(i);
            if (word.equals("-pl")) {
                i++;
                assertThat(words.get(i).split(",")).allSatisfy(MavenCall::requireModule);
            } else if (word.startsWith("-P")) {
                assertThat(CodeBlock.read("pom.xml")).contains("<id>" + word.substring(2) + "</id>");
            } else if (word.startsWith("-Dit.test=") || word.startsWith("-Dtest=")) {
                String source = test(word.substring(word.indexOf('=') + 1));
                // Failsafe runs the tests with a tag, and surefire the others.
                assertThat(source.contains("@Tag(")).isEqualTo(word.startsWith("-Dit."));
                assertThat(source.contains("@Tag(\"evidence\")")).isEqualTo(words.contains("-Pevidence"));
            } else if (!word.startsWith("-")) {
                assertThat(GOALS).contains(word);
            }
        }
    }

    private static void requireModule(String module) {
        assertThat(CodeBlock.ROOT.resolve(module).resolve("pom.xml")).exists();
    }

    private static String test(String name) {
        return CodeBlock.tests(name + ".java")
                .findFirst()
                .map(CodeBlock::read)
                .orElseThrow(() -> new AssertionError("there is no test " + name));
    }
}
