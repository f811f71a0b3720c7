package io.holdfast.checks;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.junit.jupiter.api.Test;

class LineLengthTest {

    private static final String WORDS = "word ".repeat(25);

    @Test
    void documents_endTheirLines() {
        assertThat(violations(".md")).isEmpty();
    }

    @Test
    void sources_endTheirLines() {
        assertThat(violations(".java", ".kt")).isEmpty();
    }

    @Test
    void violations_longSentence_isFound() {
        assertThat(LineLength.violations("a.md", "Short.\n" + WORDS))
                .singleElement()
                .asString()
                .contains("a.md:2", "125 columns");
    }

    @Test
    void violations_longComment_isFound() {
        assertThat(LineLength.violations("A.java", "     * " + WORDS)).hasSize(1);
    }

    @Test
    void violations_rowOfATableAddressOrCode_mayBeLonger() {
        String row = "| " + WORDS + "|";
        String address = "- [a](https://example.org/" + "x".repeat(120) + ")";
        String code = "`" + WORDS + "`.";
        assertThat(LineLength.violations("a.md", row + "\n" + address + "\n" + code))
                .isEmpty();
    }

    private static List<String> violations(String... ends) {
        return SourceFiles.endingWith(ends).stream()
                .flatMap(file -> LineLength.violations(SourceFiles.name(file), SourceFiles.read(file)).stream())
                .toList();
    }
}
