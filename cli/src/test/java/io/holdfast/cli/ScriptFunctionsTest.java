package io.holdfast.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Single functions of the scripts beside the command, in places where a whole run does not arrive in a test. */
@Tag("process")
class ScriptFunctionsTest {

    private static final Path LIB = Path.of("src/dist/lib");

    @TempDir
    private Path directory;

    static List<String> shells() {
        return Shells.tried();
    }

    private void run(String shell, String script) throws IOException {
        Path file = Files.writeString(directory.resolve("script"), script);
        assertThat(PackagedCommand.shell(shell + " " + file + " </dev/null")).isTrue();
    }

    /** A shell reads 089 as an octal number, and ends. */
    @ParameterizedTest
    @MethodSource("shells")
    void now_firstSecondOfTheMachine_isADecimalNumber(String shell) throws IOException {
        run(shell, """
                eval "$(sed -n '/^now() {/,/^}/p' %s/guard)"
                for time in 0.89 0.05 7.08 1234567.89; do
                  read() { up=$time; }
                  now
                  echo $((now + 1)) >>%s/found
                done
                """.formatted(LIB.toAbsolutePath(), directory));

        assertThat(directory.resolve("found")).hasContent("90\n6\n709\n123456790\n");
    }

    /** All users of a machine may read the arguments of a process. */
    @ParameterizedTest
    @MethodSource("shells")
    void findCommand_atATerminal_passesNoOwnerInArguments(String shell) throws IOException {
        PackagedCommand.program(directory.resolve("grep"), """
                #!/bin/sh
                echo "$*" >>%1$s/arguments
                case "$*" in *environ*) cat >>%1$s/input ;; esac
                """.formatted(directory));
        run(shell, """
                PATH="%s:$PATH" pid=7 start=1 session=6 group=5 owner=secret
                . %s/processes
                find_command
                """.formatted(directory, LIB.toAbsolutePath()));

        assertThat(directory.resolve("arguments")).content().contains("environ").doesNotContain("secret");
        assertThat(directory.resolve("input")).hasContent("HOLDFAST_OWNER=secret\n");
    }
}
