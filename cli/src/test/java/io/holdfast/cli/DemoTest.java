package io.holdfast.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;

@Tag("process")
@Execution(ExecutionMode.CONCURRENT)
class DemoTest {

    @TempDir
    private Path directory;

    @Test
    @Tag("evidence")
    void demo_played_neverHasTwoHoldersAtATime() {
        PackagedCommand.Result result = new PackagedCommand(directory).run("demo", "--json");

        assertThat(result.code()).isZero();
        assertThat(result.out())
                .contains(
                        "is notified that it lost the lock",
                        "is thawed",
                        "never by two at a time",
                        "\"change\":\"lost\"");
        assertThat(result.out().lines()).allMatch(line -> line.startsWith("{") && line.endsWith("}"));
        assertThat(result.err()).isEmpty();
    }
}
