package io.holdfast.cli.syntax;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class SimilarTest {

    @ParameterizedTest
    @CsvSource({
        "--leese, --lease",
        "--ease, --lease",
        "--eleasse, --lease",
        "stauts, status",
        "lst, list",
        "rum, run",
        "rin, run"
    })
    void hint_fewMistakes_suggestsTheWord(String wrong, String expected) {
        assertThat(Similar.hint(wrong, List.of("run", "status", "list", "--lease", "--fair")))
                .isEqualTo("; did you mean '" + expected + "'?");
    }

    @ParameterizedTest
    @CsvSource({"x", "ru", "fun", "ruin-it-all", "--something", "-v"})
    void hint_noSimilarWord_isEmpty(String wrong) {
        assertThat(Similar.hint(wrong, List.of("run", "status", "list", "--lease", "-n")))
                .isEmpty();
    }
}
