package io.holdfast.cli;

import static org.assertj.core.api.Assertions.assertThat;

import io.holdfast.servers.RedisServers;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Set;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;

/** Tests that a run avoids the parts of Java that take a noticeable part of its time, by the classes that it loads. */
@Tag("process")
@Execution(ExecutionMode.CONCURRENT)
class StartCostTest {

    /**
     * Java with a log of its classes, which precedes the class path because the launcher disables other logs before.
     */
    private static final String LOGGING_JAVA = """
            #!/bin/sh
            for word do
              [ "$word" != -cp ] || set -- "$@" -Xlog:class+load:file="$CLASSES"
              set -- "$@" "$word"
              shift
            done
            exec "$REAL_JAVA" "$@"
            """;

    /** From this version on, Java looks for a logger when it exits, also in the jar. */
    private static final int LOGS_EXIT = 21;

    @TempDir
    private Path directory;

    @Test
    void run_ofAnArchivedInstallation_neitherOpensItsJarNorNeedsCostlyClasses() throws IOException {
        Path home = Path.of(System.getProperty("java.home"));
        Path java = Files.createDirectories(directory.resolve("java/bin")).resolve("java");
        PackagedCommand.program(java, LOGGING_JAVA);
        Files.createSymbolicLink(directory.resolve("java/release"), home.resolve("release"));
        Path log = directory.resolve("classes");
        try (RedisServers servers = RedisServers.start(3)) {
            PackagedCommand command = PackagedCommand.on(directory, servers)
                    .with("JAVA_HOME", directory.resolve("java").toString())
                    .with("REAL_JAVA", home.resolve("bin/java").toString())
                    .with("CLASSES", log.toString());
            // The first run sends the text of scripts that the servers do not know.
            command.run("run", "first", "--", "true");
            command.run("run", "second", "--wait", "90.5s", "--", "true");
        }

        Set<String> classes;
        try (var lines = Files.lines(log)) {
            classes = lines.map(line -> line.replaceFirst(".*\\] ", "").split(" ", 2)[0])
                    .collect(Collectors.toSet());
        }
        assertThat(classes).contains("io.holdfast.cli.Main", "java.lang.Object").doesNotContain("java.math.BigDecimal");
        if (Runtime.version().feature() < LOGS_EXIT) {
            assertThat(classes).doesNotContain("java.util.zip.ZipFile$Source");
        }
    }
}
