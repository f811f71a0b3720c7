package io.holdfast.cli.syntax;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class ArgumentsTest {

    private static final CommandOption WAIT = CommandOption.of("-w, --wait", "DURATION", "Wait.");
    private static final CommandOption FAIR = CommandOption.of("--fair", "In order.");
    private static final CommandSpec RUN = CommandSpec.of("run", "Runs a command.")
            .withName("The lock.")
            .withProgram("What to run.")
            .with(WAIT, FAIR);
    private static final CommandSpec WATCH =
            CommandSpec.of("watch", "Shows locks.").withNames("Locks.").with(FAIR);

    private static Arguments parse(CommandSpec spec, String line) {
        return Arguments.of(spec, List.of(line.split(" ", -1)));
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "x --wait 5s --fair -- true",
                "x --wait=5s --fair -- true",
                "--fair -w 5s x -- true",
                "--fair -w5s x -- true"
            })
    void of_notationsOfAnOption_acceptsAll(String line) {
        Arguments arguments = parse(RUN, line);

        assertThat(arguments.name()).isEqualTo("x");
        assertThat(arguments.text(WAIT)).contains("5s");
        assertThat(arguments.has(FAIR)).isTrue();
        assertThat(arguments.program()).containsExactly("true");
    }

    @Test
    void of_argumentsOfTheProgram_leavesThemToTheProgram() {
        Arguments arguments = parse(RUN, "x -- grep --fair -w -- --help");

        assertThat(arguments.program()).containsExactly("grep", "--fair", "-w", "--", "--help");
        assertThat(arguments.has(FAIR)).isFalse();
        assertThat(arguments.text(WAIT)).isEmpty();
        assertThat(Arguments.contains(List.of("x", "--", "--help"), CommandSpec.HELP))
                .isFalse();
        assertThat(Arguments.contains(List.of("x", "--help", "--"), CommandSpec.HELP))
                .isTrue();
    }

    @Test
    void of_namesAfterTwoDashes_acceptsLeadingDashes() {
        assertThat(parse(WATCH, "a -- --fair -b").names()).containsExactly("a", "--fair", "-b");
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '"',
            value = {
                "x -w 1s -w 2s -- true|--wait is given twice",
                "x -w -- true|--wait needs a value: DURATION, such as 30s",
                "x --wai 1s -- true|unknown option '--wai'; did you mean '--wait'?",
                "x --nothing-like-it=3 -- true|unknown option '--nothing-like-it'",
                "x --fair=yes -- true|--fair",
                "x y -- true|'y' is one word too many; write holdfast run NAME [options] -- COMMAND",
                "--fair -- true|no NAME",
                "x true|write `--` and the command last"
            })
    void of_wrongUsage_throwsWithTheRemedy(String line, String remedy) {
        assertThatThrownBy(() -> parse(RUN, line))
                .isInstanceOf(WrongUsage.class)
                .hasMessageContaining(remedy)
                .hasMessageContaining("see `holdfast run --help`");
    }

    @Test
    void value_wrongValue_throwsWithTheOption() {
        Arguments arguments = parse(RUN, "x -w soon -- true");

        assertThatThrownBy(() -> arguments.value(WAIT, text -> {
                    throw new IllegalArgumentException("'" + text + "' is no time");
                }))
                .isInstanceOf(WrongUsage.class)
                .hasMessageContaining("--wait: 'soon' is no time");
    }
}
