package io.holdfast.faults;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.holdfast.testkit.JavaProcess;
import io.holdfast.testkit.Programs;
import java.io.File;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Every kind of fault, while one of three clients speaks the protocol in another way than the others. */
@Tag("slow")
@Tag("evidence")
@Tag("nightly")
class OtherClientsTest {

    private static final Duration FAULTS = Duration.ofSeconds(30);
    private static final Path PROTOCOLS = Path.of("../../redis/protocol");
    private static final String LUA = ".lua";

    /** Returns the versions of the protocol whose scripts are kept. */
    static List<String> versions() throws IOException {
        try (Stream<Path> folders = Files.list(PROTOCOLS)) {
            return folders.map(folder -> folder.getFileName().toString())
                    .sorted()
                    .toList();
        }
    }

    /** A client with the scripts of a version of the protocol, whose texts differ from the present ones in any case. */
    @ParameterizedTest
    @MethodSource("versions")
    void run_oneClientHasKeptScripts_breaksNoPromise(String version, @TempDir Path directory) throws Exception {
        Path kept = PROTOCOLS.resolve(version);
        Path shadow = directory.resolve("io/holdfast/redis/script");
        for (Path script : scripts(kept)) {
            Path copy = shadow.resolve(kept.relativize(script).toString());
            Files.createDirectories(copy.getParent());
            Files.writeString(copy, "-- Kept.\n" + Files.readString(script));
        }
        List<String> command = new ArrayList<>(
                JavaProcess.of(List.of(), ClientProcess.class, List.of()).command());
        int classPath = command.indexOf("-cp") + 1;
        command.set(classPath, directory + File.pathSeparator + command.get(classPath));

        assertSafe(command);
    }

    private static List<Path> scripts(Path folder) throws IOException {
        try (Stream<Path> files = Files.walk(folder)) {
            return files.filter(file -> file.toString().endsWith(LUA)).toList();
        }
    }

    @Test
    void run_oneClientIsWrittenInPython_breaksNoPromise() throws Exception {
        assumeTrue(
                Programs.succeed("python3", "-c", "import sys; sys.exit(sys.version_info < (3, 10))"),
                "python3 from 3.10 on is not installed");

        assertSafe(List.of("python3", "foreign/client.py"));
    }

    private static void assertSafe(List<String> command) throws IOException, InterruptedException {
        Report report = FaultRun.of(FaultPlan.of(11, 3, FAULTS).withForeign(command));

        assertThat(report.isSafe())
                .as(Report.header() + "\n" + report.line() + "\n" + report.faultLine())
                .isTrue();
    }
}
