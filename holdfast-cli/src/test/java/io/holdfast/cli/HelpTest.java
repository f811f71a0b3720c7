package io.holdfast.cli;

import static org.assertj.core.api.Assertions.assertThat;

import io.holdfast.cli.output.Terminal;
import io.holdfast.cli.syntax.CommandSpec;
import io.holdfast.cli.syntax.Help;
import java.util.List;
import org.junit.jupiter.api.Test;

class HelpTest {

    private static final int TERMINAL_WIDTH = 80;

    private final List<CommandSpec> pages = new Commands(new Terminal(System.err), System.out).pages("");

    @Test
    void help_ofAll_fitsATerminal() {
        assertThat(pages)
                .isNotEmpty()
                .allSatisfy(
                        page -> assertThat(Help.of(page).lines()).allMatch(line -> line.length() <= TERMINAL_WIDTH));
        assertThat(Help.of("", pages).lines()).allMatch(line -> line.length() <= TERMINAL_WIDTH);
    }

    @Test
    void help_ofOne_namesEveryOption() {
        assertThat(pages)
                .allSatisfy(page -> assertThat(page.flags())
                        .allSatisfy(flag -> assertThat(Help.of(page)).contains(flag.name(), flag.label())));
    }

    @Test
    void pages_theirNames_areThoseTheyAreFoundBy() {
        assertThat(pages)
                .extracting(CommandSpec::name)
                .containsExactlyElementsOf(new Commands(new Terminal(System.err), System.out).names());
    }
}
