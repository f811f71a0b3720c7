package io.holdfast.cli;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Collectors;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Tests the completion scripts for zsh and fish of the build in the shells themselves; {@link ArchiveTest}, for bash. */
@Tag("process")
@Execution(ExecutionMode.CONCURRENT)
class CompletionTest {

    private static final Path SHARE = Path.of("target/share").toAbsolutePath();

    /** Types a line, Tab, and a key that writes the line into a file, in an interactive zsh. */
    private static final String TYPE = """
            zmodload zsh/zpty zsh/zselect
            zpty -b shell 'TERM=dumb zsh -f -i'
            zpty -w shell "PROMPT=; fpath=($1 \\$fpath); autoload -U compinit; compinit -u -D"
            zpty -w shell "show() { print -r -- \\$BUFFER >line.part; mv line.part line; zle kill-buffer }"
            zpty -w shell "zle -N show; bindkey '^X' show"
            zpty -n -w shell "$2"$'\\t\\x18'
            until [[ -e line ]]; do zpty -r -t shell output; zselect -t 5; done
            zpty -d shell
            """;

    @TempDir
    private Path directory;

    @BeforeEach
    void installOnPath() throws IOException {
        Files.createSymbolicLink(directory.resolve("holdfast"), Path.of(PackagedCommand.LAUNCHER));
        Files.createFile(directory.resolve("certificates.pem"));
    }

    private PackagedCommand command() {
        return new PackagedCommand(directory).with("PATH", directory + ":" + System.getenv("PATH"));
    }

    private static void require(String shell) {
        assumeTrue(PackagedCommand.shell("command -v " + shell + " >/dev/null"), shell + " is not installed");
    }

    @ParameterizedTest
    @CsvSource({
        "holdfast sta, holdfast status",
        "holdfast local st, holdfast local status",
        "holdfast completion z, holdfast completion zsh",
        "holdfast help ru, holdfast help run",
        "holdfast help local st, holdfast help local status",
        "holdfast run x --hold-l, holdfast run x --hold-limit=",
        "holdfast run x --on-lost k, holdfast run x --on-lost kill",
        "holdfast run x --on-lost=k, holdfast run x --on-lost=kill",
        "holdfast run x --ca cert, holdfast run x --ca certificates.pem",
        "holdfast run x -- mkfif, holdfast run x -- mkfifo",
        "holdfast run x -- cat cert, holdfast run x -- cat certificates.pem",
        "holdfast release --no-w, holdfast release --no-w"
    })
    @Tag("evidence")
    void zsh_tab_completesTheLastWord(String line, String completed) throws IOException {
        require("zsh");
        Path script = Files.writeString(directory.resolve("type"), TYPE);

        PackagedCommand.Result result =
                command().exec("timeout", "50", "zsh", "-f", script.toString(), SHARE + "/zsh/site-functions", line);

        assertThat(result.err()).isEmpty();
        assertThat(Files.readString(directory.resolve("line")).strip()).isEqualTo(completed);
    }

    @ParameterizedTest
    @CsvSource({
        "holdfast sta, status",
        "holdfast local st, status",
        "holdfast completion z, zsh",
        "holdfast help ru, run",
        "holdfast help local st, status",
        "holdfast run x --hold-l, --hold-limit",
        "holdfast run x --on-lost k, kill",
        "holdfast run x --on-lost=k, --on-lost=kill",
        "holdfast run x --ca cert, certificates.pem",
        "holdfast run x -- mkfif, mkfifo",
        "holdfast run x -- cat cert, certificates.pem",
        "holdfast release --no-w, ''"
    })
    void fish_tab_completesTheLastWord(String line, String completed) {
        require("fish");

        PackagedCommand.Result result = command()
                .exec(
                        "fish",
                        "--no-config",
                        "-c",
                        "source " + SHARE + "/fish/vendor_completions.d/holdfast.fish;" + " complete -C '" + line
                                + "'");

        assertThat(result.err()).isEmpty();
        assertThat(result.out().lines().map(found -> found.split("\t", 2)[0]).collect(Collectors.joining()))
                .isEqualTo(completed);
    }

    /** Options are generated from the specs, so each one has to survive the quoting of the shell. */
    @ParameterizedTest
    @ValueSource(strings = {"zsh", "fish"})
    void script_anyShell_isParsedAndContainsEveryCommand(String shell) throws IOException {
        require(shell);
        Path script = shell.equals("zsh")
                ? SHARE.resolve("zsh/site-functions/_holdfast")
                : SHARE.resolve("fish/vendor_completions.d/holdfast.fish");

        assertThat(command().exec(shell, "-n", script.toString())).isEqualTo(new PackagedCommand.Result(0, "", ""));

        assertThat(Files.readString(script))
                .contains(List.of("run", "acquire", "status", "local up", "doctor", "hold-at-least", "nodes"));
    }
}
