package io.holdfast.cli;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.api.parallel.Isolated;

/**
 * Runs the script {@code src/test/cron/cron-hour}: the cron of Debian on three machines, each in namespaces of its own.
 * {@code -Dholdfast.cron.minutes=60} takes an hour.
 */
@Tag("process")
@Tag("evidence")
@Isolated("jobs have to start within seconds")
class CronHourTest {

    private static final int MINUTES = Integer.getInteger("holdfast.cron.minutes", 2);

    /** A server restarts in the second half of a minute, when the jobs have extended their leases. */
    private static final String RESTART_SECONDS = "240";

    @TempDir
    private Path directory;

    @Test
    void cron_threeMachinesAndServersThatRestart_runsEachPeriodOnceAndSendsNoMail() throws IOException {
        for (String program : List.of("cron", "unshare", "redis-server")) {
            assumeTrue(PackagedCommand.shell("command -v " + program + " >/dev/null"), program + " is not installed");
        }
        assumeTrue(PackagedCommand.shell("unshare --mount --pid --fork --uts true"), "namespaces need root");
        Files.setPosixFilePermissions(directory, PosixFilePermissions.fromString("rwxr-xr-x"));
        assumeTrue(
                PackagedCommand.shell("setpriv --reuid=65534 --clear-groups test -x " + PackagedCommand.LAUNCHER),
                "the installation is in a directory that other users cannot enter");

        PackagedCommand.Running script = new PackagedCommand(directory)
                .with("RESTART_SECONDS", RESTART_SECONDS)
                .start(List.of(
                        Path.of("src/test/cron/cron-hour").toAbsolutePath().toString(),
                        Integer.toString(MINUTES),
                        PackagedCommand.LAUNCHER,
                        directory.resolve("hour").toString()));
        PackagedCommand.Result result = script.endWithin(Duration.ofMinutes(MINUTES + 5));

        assertThat(result.code()).as("%s", result).isZero();
        assertThat(result.out()).contains("| 90 | " + MINUTES + " |").doesNotContain("FAILED");
    }
}
