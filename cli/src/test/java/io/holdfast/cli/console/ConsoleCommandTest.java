package io.holdfast.cli.console;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.holdfast.cli.exit.ExitCode;
import io.holdfast.cli.exit.Failure;
import io.holdfast.cli.output.Terminal;
import io.holdfast.cli.syntax.Arguments;
import java.io.OutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.util.List;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class ConsoleCommandTest {

    private final PrintStream nothing = new PrintStream(OutputStream.nullOutputStream(), true, StandardCharsets.UTF_8);

    /** The demonstration would show other servers than those that the user has named. */
    @ParameterizedTest
    @CsvSource({"--nodes,redis://a:6379", "--max-lease,2m"})
    void run_demonstrationOnOtherServers_isRejected(String option, String value) {
        ConsoleCommand command = new ConsoleCommand(new Terminal(nothing), nothing);
        Arguments arguments =
                Arguments.of(command.spec(), List.of("--demo", "--listen", "192.0.2.1:7480", option, value));

        assertThatThrownBy(() -> command.run(arguments))
                .isInstanceOfSatisfying(
                        Failure.class, failure -> assertThat(failure.exitCode()).isEqualTo(ExitCode.USAGE))
                .hasMessage("--demo and " + option + " exclude each other; use one of them");
    }
}
