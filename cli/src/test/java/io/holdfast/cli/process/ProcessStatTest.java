package io.holdfast.cli.process;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Tests what is concluded from processes that cannot be read. */
class ProcessStatTest {

    private static final String REST = " (a b) S 1 12 12 0 0 0 0 0 0 0 0 0 0 0 0 0 2 0 99 0";

    @TempDir
    private Path proc;

    private final List<ProcessStat> found = new ArrayList<>();

    private Path process(String pid) throws IOException {
        return Files.createDirectories(proc.resolve(pid)).resolve("stat");
    }

    @Test
    void addAllTo_processEndsMeanwhile_isNotThere() throws IOException {
        Files.writeString(process("12"), "12" + REST);
        process("13");

        assertThat(ProcessStat.addAllTo(found, proc)).isTrue();

        assertThat(found).containsExactly(new ProcessStat(12, 'S', 1, 12, 12, 2, 99));
    }

    /** As at a limit of open files: the process may run, so the lock must not be released as if it had ended. */
    @Test
    void addAllTo_processCannotBeRead_othersMayRun() throws IOException {
        Path stat = process("12");
        Files.createSymbolicLink(stat, stat);

        assertThat(ProcessStat.addAllTo(found, proc)).isFalse();
    }

    @Test
    void addAllTo_directoryCannotBeRead_othersMayRun() {
        assertThat(ProcessStat.addAllTo(found, proc.resolve("none"))).isFalse();
    }
}
