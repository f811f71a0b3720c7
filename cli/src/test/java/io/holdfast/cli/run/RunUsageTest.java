package io.holdfast.cli.run;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowable;

import io.holdfast.cli.exit.ExitCode;
import io.holdfast.cli.exit.Failure;
import io.holdfast.cli.option.NodesOptions;
import io.holdfast.cli.output.Terminal;
import io.holdfast.cli.syntax.Arguments;
import io.holdfast.cli.syntax.WrongUsage;
import java.io.OutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Checks the options of {@code run} without a process. Each failure is one of those that end it with exit code 64. */
class RunUsageTest {

    private final Terminal terminal =
            new Terminal(new PrintStream(OutputStream.nullOutputStream(), true, StandardCharsets.UTF_8));

    /** Fails if one of the words, which do not contain the word {@code run}, is wrong. */
    private void check(List<String> words) {
        Arguments arguments = Arguments.of(new RunCommand(terminal).spec(), words);
        CheckedOptions.of(arguments, terminal);
        NodesOptions.check(arguments, terminal);
    }

    private void assertWrong(List<String> words, String remedy) {
        Throwable failure = catchThrowable(() -> check(words));

        assertThat(failure)
                .isInstanceOfAny(WrongUsage.class, IllegalArgumentException.class, Failure.class)
                .hasMessageContaining(remedy);
        if (failure instanceof Failure expected) {
            assertThat(expected.exitCode()).isEqualTo(ExitCode.USAGE);
        }
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '"',
            value = {
                "x true|no command: write `--`",
                "x --|no command: write `--`",
                "-s -- true|no NAME; write holdfast run NAME... ",
                "x --nope -- true|unknown option '--nope'",
                "x --no-wait=1 -- true|--no-wait takes no value",
                "x -nc true|the word -c and a command line",
                "x -nc true -- true|write -c apart from other options",
                "x -n -w 1s -- true|exclude each other",
                "x -w 5x -- true|'5x' is not a duration; write a number with ms, s, m, h or d",
                "x -E 256 -- true|from 0 to 255",
                "x --lease 0s -- true|--lease must be between 500ms and 24h",
                "x --lease 10ms -- true|--lease must be between 500ms and 24h",
                "x --lease 2d -- true|--lease must be between 500ms and 24h",
                "x --lease 2m -- true|--lease 2m is longer than the longest lease of all clients (1m)",
                "x --max-lease 10ms -- true|--max-lease must be between 500ms and 24h",
                "x --hold-limit 1s --lease 2s -- true|--lease 2s is longer than --hold-limit",
                "x --restarts never -- true|none of quarantine, durable, at-once",
                "x --on-lost ask -- true|is none of kill, warn",
                "x --timeout 0 -- true|--timeout 0 leaves no time",
                "x --kill-after 1s -- true|--kill-after has no effect without --timeout",
                "x --timeout-exit-code 256 -- true|use one from 0 to 255",
                "x --retry-delay 1s -- true|--retry-delay has no effect without --retries",
                "x --retries -1 -- true|'-1' is not a number from 0 to 1000",
                "x --retries 1001 -- true|'1001' is not a number from 0 to 1000",
                "x -q -v -- true|-q and -v exclude each other",
                "x -s --slots 2 -- true|-s and --slots exclude each other",
                "x -s y -- true|-s takes one name",
                "x --slots 2 y -- true|--slots takes one name",
                "x --slots 0 -- true|'0' is not a number of slots; write one from 1 to 1000",
                "x --slots 1001 -- true|'1001' is not a number of slots",
                "x --slots many -- true|'many' is not a number of slots",
                "x --once-per @yearly -- true|'@yearly' is not a period; write @hourly, @daily, @weekly, @monthly or "
                        + "a duration",
                "x --once-per daily -- true|--once-per: 'daily' is not a duration; write @daily",
                "x --once-per 0 -- true|'0' is not between 1s and 366d",
                "x --once-per 400d -- true|'400d' is not between 1s and 366d",
                "x --once-per often -- true|'often' is not a duration",
                "x --once-per 1h -s -- true|--once-per needs one lock that one run holds at a time; omit -s",
                "x --once-per 1h --slots 3 -- true|omit --slots",
                "x --once-per 1h y -- true|omit the other names",
                "x --on-success http:// -- true|--on-success: not a valid address",
                "x --on-success ftp://a/b -- true|an address of ftp cannot be fetched; write one of http or https",
                "x --on-success HTTPS:///x -- true|names no host",
                "x --on-success https:///x -- true|names no host",
                "x --on-success https://a:99999/x -- true|from 1 to 65535"
            })
    void check_wrongOption_isRefusedWithTheRemedy(String line, String remedy) {
        List<String> words = new ArrayList<>(List.of("--nodes", "redis://127.0.0.1:1"));
        words.addAll(List.of(line.split(" ")));

        assertWrong(words, remedy);
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "--nodes ,|names no server",
                "--nodes redis://:secret@a|all users of this machine can see",
                "--nodes http://a|the schemes are redis://, redis-sentinel:// and redis-cluster://",
                "--nodes a:6379|write redis://a:6379, or rediss://",
                "--nodes redis://a,redis://a:6379|is given twice",
                "--nodes redis://a/b|number of the database",
                "--nodes redis://a --local|exclude each other",
                "--local --user me|--local and --user exclude each other"
            })
    void check_wrongServers_isRefusedWithTheRemedy(String options, String remedy) {
        List<String> words = new ArrayList<>(List.of("x"));
        words.addAll(List.of(options.split(" ")));
        words.addAll(List.of("--", "true"));

        assertWrong(words, remedy);
    }
}
