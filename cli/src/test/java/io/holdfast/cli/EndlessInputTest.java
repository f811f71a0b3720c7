package io.holdfast.cli;

import static io.holdfast.servers.Eventually.eventually;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assumptions.assumeThat;

import io.holdfast.cli.option.ConfigFile;
import io.holdfast.servers.RedisServerOptions;
import io.holdfast.servers.RedisServers;
import java.nio.file.Path;
import java.util.UUID;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Tests files that the user names and that have no end, or no contents: pipes and devices. */
@Tag("process")
@Tag("evidence")
@Execution(ExecutionMode.CONCURRENT)
class EndlessInputTest {

    private static final String NODES = "--nodes=rediss://127.0.0.1:1";

    @TempDir
    private Path directory;

    private PackagedCommand command() {
        return new PackagedCommand(directory);
    }

    private String pipe() {
        String pipe = directory.resolve("pipe").toString();
        assertThat(PackagedCommand.shell("mkfifo '" + pipe + "'")).isTrue();
        return pipe;
    }

    @Test
    void configuration_isAPipe_isRefusedAtOnce() {
        String pipe = pipe();

        PackagedCommand.Result result =
                command().with(ConfigFile.VARIABLE, pipe).run("config", "check");

        assertThat(result.err())
                .isEqualTo(
                        "holdfast: the configuration file " + pipe + " cannot be read: it is not a file; name one\n");
        assertThat(result.code()).isEqualTo(64);
    }

    /** Such a link hides the file of the machine. */
    @Test
    void configuration_linkToDevNull_isEmpty() {
        String link = directory.resolve("link").toString();
        assertThat(PackagedCommand.shell("ln -s /dev/null '" + link + "'")).isTrue();

        assertThat(command()
                        .with(ConfigFile.VARIABLE, link)
                        .run("config", "check")
                        .code())
                .isZero();
    }

    @ParameterizedTest
    @CsvSource({
        "status x NODES --password-file /dev/zero, it is longer than 4 MiB",
        "status x NODES --ca /dev/zero, it is longer than 4 MiB",
        "status x NODES --ca /dev, it is a directory",
        "release NODES --handle-file /dev/zero, it is longer than 4 MiB",
        "console NODES --token-file /dev/zero, it is longer than 4 MiB"
    })
    void options_fileWithoutAnEnd_isRefused(String line, String reason) {
        String words = line.replace("NODES", NODES);

        PackagedCommand.Result result = command().run(words.split(" "));

        assertThat(result.err()).contains(" cannot be read: " + reason).hasLineCount(1);
        assertThat(result.code()).isEqualTo(64);
    }

    @ParameterizedTest
    @ValueSource(strings = {"status x --ca", "status x --password-file", "renew --handle-file"})
    @Tag("evidence")
    void options_pipeWithoutAWriter_failsAfterALimit(String words) {
        PackagedCommand.Result result = command().run((words + " " + pipe() + " " + NODES).split(" "));

        assertThat(result.err()).contains(" cannot be read: its end has not arrived within 10 s");
        assertThat(result.code()).isEqualTo(64);
    }

    @ParameterizedTest
    @CsvSource({"run, TERM, 143", "run, INT, 130", "acquire, TERM, 143"})
    void signal_whileAPipeIsRead_endsTheCommand(String word, String signal, int code) {
        String program = word.equals("run") ? "-- true" : "";
        PackagedCommand.Running running = command()
                .start((word + " x " + NODES + " --password-file " + pipe() + " " + program)
                        .strip()
                        .split(" "));
        eventually("Java reads the pipe", () -> running.hasThread("holdfast-input"));

        running.send(signal);

        assertThat(running.end().code()).isEqualTo(code);
        assertThat(running.errors()).isEmpty();
    }

    /** The shell's {@code <(command)} is a pipe. */
    @Test
    void passwordFile_pipeWithAWriter_isRead() {
        assumeThat(PackagedCommand.shell("command -v bash >/dev/null")).isTrue();
        try (RedisServers servers = RedisServers.start(1, RedisServerOptions.DEFAULT.withPassword("s3cret"))) {
            String address = servers.addresses().get(0).replaceFirst("//.*@", "//");
            String line = "\"$0\" run " + UUID.randomUUID() + " --nodes=" + address
                    + " --password-file <(sleep 0.3; echo s3cret) -- echo in";

            assertThat(command().exec("bash", "-c", line, PackagedCommand.LAUNCHER))
                    .isEqualTo(new PackagedCommand.Result(0, "in\n", ""));
        }
    }
}
