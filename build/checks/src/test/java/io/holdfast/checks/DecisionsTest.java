package io.holdfast.checks;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;

/** The index of the decisions lists each of them with its number and title, and no number has two decisions. */
class DecisionsTest {

    private static final String FOLDER = "docs/decisions/";
    private static final Pattern HEADING = Pattern.compile("^## ([\\d, ]+)\\. (.*) \\(2.*\\)$", Pattern.MULTILINE);
    private static final Pattern LINE = Pattern.compile("^\\| ([\\d, ]+) \\| (.*) \\|$", Pattern.MULTILINE);

    @Test
    void index_listsEachDecisionOnce() {
        List<String> decided = SourceFiles.endingWith(".md").stream()
                .filter(file -> SourceFiles.name(file).startsWith(FOLDER))
                .flatMap(file -> decisions(SourceFiles.read(file)).stream())
                .toList();
        assertThat(decided).hasSizeGreaterThan(80);
        assertThat(numbers(decided)).doesNotHaveDuplicates();
        String index = SourceFiles.read(SourceFiles.ROOT.resolve(FOLDER + "README.md"));
        assertThat(listed(index)).containsExactlyInAnyOrderElementsOf(decided);
    }

    @Test
    void decisions_areHeadingsWithADate() {
        assertThat(decisions("## 1. A rule (2026-11-21)\ntext\n## 2. No date\n"))
                .containsExactly("1 A rule");
    }

    private static List<String> decisions(String page) {
        return found(HEADING, page);
    }

    private static List<String> listed(String index) {
        return found(LINE, index);
    }

    private static List<String> found(Pattern pattern, String text) {
        return pattern.matcher(text)
                .results()
                .map(result -> result.group(1) + " " + result.group(2))
                .toList();
    }

    private static List<String> numbers(List<String> decisions) {
        List<String> numbers = new ArrayList<>();
        for (String decision : decisions) {
            Pattern.compile("^[\\d, ]+")
                    .matcher(decision)
                    .results()
                    .flatMap(found ->
                            Pattern.compile("\\d+").matcher(found.group()).results())
                    .forEach(number -> numbers.add(number.group()));
        }
        return numbers;
    }
}
