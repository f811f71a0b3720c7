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

/** Tests the manual page of the build. */
@Tag("process")
@Execution(ExecutionMode.CONCURRENT)
class ManualTest {

    private static final Path PAGE = Path.of("target/share/man/man1/holdfast.1").toAbsolutePath();

    @TempDir
    private Path directory;

    private String output(String program, String... words) {
        assumeTrue(PackagedCommand.shell("command -v " + program + " >/dev/null"), program + " is not installed");
        PackagedCommand.Result result =
                new PackagedCommand(directory).with("LC_ALL", "C").exec("sh", "-c", String.join(" ", words));
        return result.err() + result.out();
    }

    @Test
    void page_formattedInAsciiLocale_causesNoWarning() {
        assertThat(output("man", "man", "--warnings", "-l", PAGE + " >/dev/null"))
                .isEmpty();
    }

    /** A date would differ in each build. */
    @Test
    void page_checkedByMandoc_hasNoErrorsButTheDate() {
        assertThat(output("mandoc", "mandoc", "-T", "lint", "-W", "warning", PAGE.toString())
                        .lines())
                .filteredOn(line -> !line.contains("missing date"))
                .isEmpty();
    }

    /** The file contains server options, so those are its keys. */
    @Test
    void page_serverOptions_containEveryKeyOfTheConfiguration() throws IOException {
        String page = Files.readString(PAGE);

        assertThat(page.substring(page.indexOf(".SH \"SERVER OPTIONS\"")))
                .contains("\\-\\-nodes URI,URI...", "\\-\\-user NAME", "\\-\\-password\\-file FILE", "\\-\\-ca FILE")
                .contains("\\-\\-max\\-lease DURATION", "\\-\\-restarts quarantine|durable|at\\-once");
    }
}
