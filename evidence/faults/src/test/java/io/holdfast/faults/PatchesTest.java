package io.holdfast.faults;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.holdfast.testkit.Programs;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * Checks that the patches that disable safeguards, for the fault suite and for the simulation, still apply to the
 * sources: a change of a safeguard has to update its patch.
 */
class PatchesTest {

    static List<Path> patches() throws IOException {
        List<Path> patches = new ArrayList<>();
        for (String directory :
                List.of("safeguards", "safeguards/use", "../simulation/mutants", "../simulation/mutants/use")) {
            try (Stream<Path> files = Files.list(Path.of(directory))) {
                files.filter(file -> file.toString().endsWith(".patch")).forEach(patches::add);
            }
        }
        return patches;
    }

    @ParameterizedTest
    @MethodSource("patches")
    void apply_eachPatch_succeeds(Path patch) {
        assumeTrue(Programs.succeed("patch", "--version"), "no patch program");

        assertThat(Programs.succeed(
                        "patch",
                        "-p1",
                        "--dry-run",
                        "--silent",
                        "-d",
                        "../..",
                        "-i",
                        patch.toAbsolutePath().toString()))
                .isTrue();
    }
}
