package io.holdfast.cli;

import static org.assertj.core.api.Assertions.assertThat;

import io.holdfast.cli.command.Command;
import io.holdfast.cli.output.Terminal;
import io.holdfast.cli.syntax.Arguments;
import io.holdfast.cli.syntax.CommandSpec;
import io.holdfast.cli.syntax.Completion;
import io.holdfast.cli.syntax.Help;
import io.holdfast.cli.syntax.Manual;
import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Objects;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

@Tag("process")
class HelpTest {

    private static final int TERMINAL_WIDTH = 80;
    private static final String VERSION = "1.2.3";

    private final ByteArrayOutputStream out = new ByteArrayOutputStream();
    private final Commands commands =
            new Commands(new Terminal(System.err), new PrintStream(out, true, StandardCharsets.UTF_8), VERSION);
    private final List<CommandSpec> specs = commands.specs("");

    private String output(String name) throws Exception {
        Command command = Objects.requireNonNull(commands.find(name));
        command.run(Arguments.of(command.spec(), List.of()));
        return out.toString(StandardCharsets.UTF_8);
    }

    @Test
    void help_allCommands_fitsATerminal() {
        assertThat(specs)
                .isNotEmpty()
                .allSatisfy(
                        spec -> assertThat(Help.of(spec).lines()).allMatch(line -> line.length() <= TERMINAL_WIDTH));
        assertThat(Help.of("", specs).lines()).allMatch(line -> line.length() <= TERMINAL_WIDTH);
    }

    @Test
    void help_oneCommand_containsEveryOption() {
        assertThat(specs)
                .allSatisfy(spec -> assertThat(spec.options())
                        .allSatisfy(option -> assertThat(Help.of(spec)).contains(option.name(), option.label())));
    }

    @Test
    void specs_names_equalTheNamesOfTheCommands() {
        assertThat(specs).extracting(CommandSpec::name).containsExactlyElementsOf(commands.names());
    }

    @Test
    void man_run_printsTheManualOfAllCommandsWithTheVersion() throws Exception {
        assertThat(output("man"))
                .isEqualTo(Manual.of(specs, "holdfast " + VERSION))
                .contains(VERSION, "holdfast admit");
    }

    /** A label with a bar is a list of values, which completion offers. */
    @Test
    void completion_valuesOfOptions_areThoseThatTheHelpLists() {
        assertThat(Completion.of(specs))
                .contains("--on-unreachable) _holdfast_words \"fail\nskip\nrun\"", "--metrics-file")
                .doesNotContain("--on-success) _holdfast_words");
    }

    @Test
    void completion_run_printsTheScriptForAllCommands() throws Exception {
        assertThat(output("completion")).isEqualTo(Completion.of(specs)).contains("admit");
    }
}
