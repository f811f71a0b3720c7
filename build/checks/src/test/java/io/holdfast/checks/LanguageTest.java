package io.holdfast.checks;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.junit.jupiter.api.Test;

class LanguageTest {

    private final Language language = Language.ofThisRepository();

    @Test
    void sourcesAndDocuments_arePlainEnglish() {
        List<String> violations = SourceFiles.endingWith(".java", ".kt", ".lua", ".md").stream()
                .flatMap(file -> language.violations(SourceFiles.name(file), SourceFiles.read(file)).stream())
                .toList();
        assertThat(violations).isEmpty();
    }

    @Test
    void violations_bannedPhraseInAComment_namesTheLineAndTheReplacement() {
        String phrase = "who" + "ever";
        assertThat(language.violations("A.java", "class A {\n    // Notifies " + phrase + " waits.\n}"))
                .singleElement()
                .asString()
                .contains("A.java:2", phrase, "write a noun for the actor");
    }

    @Test
    void violations_phraseInCode_isAllowed() {
        assertThat(language.violations("A.java", "class A { int who" + "ever; }"))
                .isEmpty();
    }

    @Test
    void violations_summaryThatNeedsContext_isFound() {
        assertThat(language.violations("A.java", "/** The" + " same, with options. */ class A {}"))
                .singleElement()
                .asString()
                .contains("a summary does not begin with 'The same'");
    }

    @Test
    void violations_longSentence_isFound() {
        assertThat(language.violations("a.md", "word ".repeat(41) + "."))
                .singleElement()
                .asString()
                .contains("a sentence of 41 words");
    }

    @Test
    void violations_plainText_areNone() {
        assertThat(language.violations("a.md", "The node notifies the waiter.\n\n```\nwho" + "ever\n```\n"))
                .isEmpty();
    }
}
