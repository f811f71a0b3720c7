package io.holdfast.cli;

import static io.holdfast.cli.PackagedCommand.words;
import static io.holdfast.servers.Eventually.eventually;
import static org.assertj.core.api.Assertions.assertThat;

import io.holdfast.servers.RedisServers;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;
import org.junit.jupiter.api.parallel.ResourceLock;

/** Short jobs, as cron runs them, while one of three servers has been restarted without its data. */
@Tag("process")
@Execution(ExecutionMode.CONCURRENT)
@ResourceLock("restartedServer")
class RestartedServerTest {

    private static final PackagedCommand.Result SILENT = new PackagedCommand.Result(0, "", "");

    @AutoClose
    private final RedisServers servers = RedisServers.start(3);

    @TempDir
    private Path directory;

    private PackagedCommand command() {
        return PackagedCommand.on(directory, servers);
    }

    private PackagedCommand.Result job(String... options) {
        return command().run(words(words(new String[] {"run", "job", "-n"}, options), "--", "true"));
    }

    @Test
    void run_majorityVotes_printsNothing() throws IOException {
        assertThat(job()).isEqualTo(SILENT);
        servers.get(2).restartEmpty();

        PackagedCommand.Running verbose =
                command().start("run", "job", "-n", "-v", "-c", "until [ -e end ]; do sleep 0.02; done");
        eventually("the restart is reported", () -> verbose.errors().contains("no vote for another"));
        Files.createFile(directory.resolve("end"));
        assertThat(verbose.end().code()).isZero();

        assertThat(job()).isEqualTo(SILENT);
        assertThat(verbose.errors()).contains("The other nodes are a majority").doesNotContain("admit");
    }

    /** Cron would mail a warning, although the job is skipped as its owner wants. */
    @Test
    @Tag("evidence")
    void run_noMajorityVotesAndSkip_printsNothing() {
        assertThat(job()).isEqualTo(SILENT);
        servers.get(1).restartEmpty();
        servers.get(2).restartEmpty();

        String[] run = {"run", "job", "-w", "3s", "--on-unreachable"};

        assertThat(command().run(words(run, "fail", "--", "true")).err()).contains("no vote for another");
        assertThat(command().run(words(run, "skip", "--", "true"))).isEqualTo(SILENT);
    }

    /** On a busy machine, the other servers may answer later than the one that was restarted. */
    @Test
    @Tag("evidence")
    void run_majorityAnswersLate_printsNothing() {
        assertThat(job()).isEqualTo(SILENT);
        servers.get(2).restartEmpty();
        servers.get(0).freeze();
        servers.get(1).freeze();

        PackagedCommand.Running late = command().start("run", "job", "--", "true");
        eventually("the restarted server has been observed for a while", () -> {
            Object observed = servers.get(2).exec("HGET", "holdfast:marker", "observed");
            return observed != null && Long.parseLong(observed.toString()) >= 500;
        });
        servers.get(0).thaw();
        servers.get(1).thaw();

        assertThat(late.end()).isEqualTo(SILENT);
    }

    /** No job lives long enough to observe the server by itself. */
    @Test
    @Tag("evidence")
    void run_jobsOfAMoment_endTheQuarantine() {
        String[] options = {"--max-lease", "10s", "--lease", "8s"};
        assertThat(job(options)).isEqualTo(SILENT);
        servers.get(2).restartEmpty();
        long begun = System.nanoTime();

        eventually("the server votes", () -> {
            assertThat(job(options)).isEqualTo(SILENT);
            return "1".equals(servers.get(2).exec("HGET", "holdfast:marker", "admitted"));
        });

        assertThat(Duration.ofNanos(System.nanoTime() - begun)).isGreaterThan(Duration.ofSeconds(11));
    }

    @Test
    void admit_restartedServerBesideOthers_isRefused() {
        assertThat(job()).isEqualTo(SILENT);
        servers.get(2).restartEmpty();

        PackagedCommand.Result admission = command().run("admit", "--force");

        assertThat(admission.code()).isEqualTo(69);
        assertThat(admission.out()).contains("2 of 3 already vote, so this is a restart, not a first start: wait ");
        assertThat(servers.get(2).exec("HGET", "holdfast:marker", "admitted")).isNotEqualTo("1");
    }

    /** The servers that vote cannot say so to a client of another set. */
    @Test
    void admit_anotherLongestLease_asksAndAdmitsNoRestartedServer() {
        // A job ends when two servers have voted; the third may not know of the set then.
        assertThat(command().run("admit").code()).isZero();
        servers.get(2).restartEmpty();

        PackagedCommand.Result asked = command().run("admit", "--max-lease", "2m");
        PackagedCommand.Result forced = command().run("admit", "--force", "--max-lease", "2m");

        assertThat(asked.code()).isEqualTo(1);
        assertThat(asked.err()).contains("it belongs to a set of 3 nodes", "change the set of 2 of 3 servers?");
        assertThat(forced.code()).isEqualTo(69);
        assertThat(forced.out()).contains("2 of 3 already vote, so this is a restart, not a first start: wait ");
        assertThat(servers.get(2).exec("HGET", "holdfast:marker", "admitted")).isNotEqualTo("1");
        assertThat(servers.get(0).exec("HGET", "holdfast:marker", "config")).isEqualTo("3/120000");
    }
}
