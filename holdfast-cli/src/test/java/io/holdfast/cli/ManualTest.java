package io.holdfast.cli;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Tests the manual pages of the build. */
@Tag("process")
@Execution(ExecutionMode.CONCURRENT)
class ManualTest {

    private static final Path PAGES = Path.of("target/share/man").toAbsolutePath();

    @TempDir
    private Path directory;

    private String output(String program, String... words) {
        assumeTrue(PackagedCommand.shell("command -v " + program + " >/dev/null"), program + " is not installed");
        PackagedCommand.Result result =
                new PackagedCommand(directory).with("LC_ALL", "C").exec("sh", "-c", String.join(" ", words));
        return result.err() + result.out();
    }

    @ParameterizedTest
    @ValueSource(strings = {"man1/holdfast.1", "man5/holdfast.5"})
    void page_formattedInAsciiLocale_causesNoWarning(String page) {
        assertThat(output("man", "man", "--warnings", "-l", PAGES.resolve(page) + " >/dev/null"))
                .isEmpty();
    }

    /** A date would differ in each build. */
    @ParameterizedTest
    @ValueSource(strings = {"man1/holdfast.1", "man5/holdfast.5"})
    void page_checkedByMandoc_hasNoErrorsButTheDate(String page) {
        assertThat(output(
                                "mandoc",
                                "mandoc",
                                "-T",
                                "lint",
                                "-W",
                                "warning",
                                PAGES.resolve(page).toString())
                        .lines())
                .filteredOn(line -> !line.contains("missing date"))
                .isEmpty();
    }

    @Test
    void page_ofTheConfiguration_describesEveryKeyOfTheFile() throws IOException {
        String page = Files.readString(PAGES.resolve("man5/holdfast.5"));

        assertThat(page)
                .contains("nodes=URI,URI...", "user=NAME", "password\\-file=FILE", "ca=FILE", "max\\-lease=DURATION")
                .contains("restarts=quarantine|durable|at\\-once")
                .doesNotContain("local=");
    }
}
