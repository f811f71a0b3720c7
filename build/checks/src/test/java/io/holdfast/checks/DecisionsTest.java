package io.holdfast.checks;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import java.util.List;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** Each section of a topic's page is a decision with a number of its own and a date, and the index links each page. */
class DecisionsTest {

    private static final String FOLDER = "docs/decisions/";
    private static final Pattern SECTION = Pattern.compile("^## .*$", Pattern.MULTILINE);
    private static final Pattern DECISION = Pattern.compile("^## (\\d+)\\. .+ \\(2.*\\)$", Pattern.MULTILINE);

    private static final List<Path> PAGES = SourceFiles.endingWith(".md").stream()
            .filter(file -> SourceFiles.name(file).startsWith(FOLDER) && !file.endsWith("README.md"))
            .toList();

    @Test
    void sections_areDecisionsWithNumbersOfTheirOwn() {
        List<String> numbers = PAGES.stream()
                .map(SourceFiles::read)
                .flatMap(DecisionsTest::numbers)
                .toList();

        assertThat(numbers).hasSizeGreaterThan(80).doesNotHaveDuplicates();
        assertThat(PAGES).allSatisfy(page -> {
            String text = SourceFiles.read(page);
            assertThat(SECTION.matcher(text).results())
                    .hasSameSizeAs(numbers(text).toList());
        });
    }

    @Test
    void index_linksEachPage() {
        String index = SourceFiles.read(SourceFiles.ROOT.resolve(FOLDER + "README.md"));

        assertThat(PAGES).allSatisfy(page -> assertThat(index).contains("](" + page.getFileName() + ")"));
    }

    @Test
    void numbers_sectionWithoutNumberOrDate_hasNone() {
        assertThat(numbers("## 1. A rule (2026-11-21)\ntext\n## 2. No date\n## No number (2026-11-21)\n"))
                .containsExactly("1");
    }

    private static Stream<String> numbers(String page) {
        return DECISION.matcher(page).results().map((MatchResult decision) -> decision.group(1));
    }
}
