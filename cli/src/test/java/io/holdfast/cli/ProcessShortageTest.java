package io.holdfast.cli;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assumptions.assumeThat;

import java.nio.file.Path;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Tests starts at the limit of processes. It does not apply to root, so the tests run as another user. */
@Tag("process")
@Tag("evidence")
@Tag("slow")
class ProcessShortageTest {

    @TempDir
    private Path directory;

    /** Shells other than bash end with 2 of their own. */
    @Test
    void run_shellCannotCreateAProcess_exits125WithTheRemedy() {
        String other = "setpriv --reuid=65534 --regid=65534 --clear-groups ";
        assumeThat(PackagedCommand.shell(other + "test -r '" + PackagedCommand.LAUNCHER
                        + "' && command -v bash dash && ! pgrep -u 65534"))
                .as("another user without processes can read the installation")
                .isTrue();

        PackagedCommand.Result result = new PackagedCommand(directory)
                .exec(
                        "sh",
                        "-c",
                        "cd /; exec " + other + "bash -c 'ulimit -u 1; exec dash \"$0\" run x -n -- true' '"
                                + PackagedCommand.LAUNCHER + "'");

        assertThat(result.code()).as("%s", result).isEqualTo(125);
        assertThat(result.err())
                .contains("holdfast: the shell ended, probably because")
                .contains("raise `ulimit -u`");
    }
}
