package io.holdfast.cli;

import static io.holdfast.servers.Eventually.eventually;
import static org.assertj.core.api.Assertions.assertThat;

import io.holdfast.cli.option.NodesOptions;
import io.holdfast.servers.RedisServers;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.UUID;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;

/** Runs the administrative commands while servers do not answer: an unknown lock must not look free. */
@Tag("process")
@Execution(ExecutionMode.CONCURRENT)
class AdminOutageTest {

    @AutoClose
    private final RedisServers servers = RedisServers.start(3);

    private final String name = "outage-" + UUID.randomUUID();

    @TempDir
    private Path directory;

    private PackagedCommand command() {
        return PackagedCommand.on(directory, servers);
    }

    @Test
    @Tag("evidence")
    void statusAndList_twoOfThreeServersFrozen_sayThatTheStateIsUnknown() {
        command().run("run", name, "--", "true");
        servers.get(0).freeze();
        servers.get(1).freeze();

        PackagedCommand.Result list = command().run("list");
        assertThat(list.code()).isEqualTo(69);
        assertThat(list.out()).isEmpty();
        assertThat(list.err()).startsWith("holdfast: cannot list the locks: only 1 of 3 servers can list their locks");
        assertThat(list.err().lines()).hasSize(1);
        PackagedCommand.Result status = command().run("status", name);
        assertThat(status.code()).isEqualTo(69);
        assertThat(status.out()).startsWith("unknown whether '" + name + "' is held: only 1 of 3 servers answers\n");
        PackagedCommand.Result json = command().run("status", name, "--json");
        assertThat(json.code()).isEqualTo(69);
        assertThat(json.out())
                .startsWith("{\"resource\":\"" + name + "\",\"held\":null,")
                .contains("\"quorum\":false");
    }

    @Test
    @Tag("evidence")
    void status_serverInQuarantine_isNotShownAsFree() {
        command().run("run", name, "--", "true");
        servers.get(0).restartEmpty();
        servers.get(1).restartEmpty();

        PackagedCommand.Result status = command().run("status", name);

        assertThat(status.code()).isEqualTo(69);
        assertThat(status.out()).containsPattern("in quarantine for \\d+ s more, does not vote");
        PackagedCommand.Result doctor = command().run("doctor");
        assertThat(doctor.code()).isEqualTo(2);
        assertThat(doctor.out()).contains("1 of 3 servers votes; no lock can be taken: 2 are needed");
        assertThat(command().run("doctor", "--json").out())
                .contains("\"voting\":1,")
                .containsPattern("\"votes\":false,\"quarantineMillis\":\\d{5}");
    }

    @Test
    void watch_noServerAnswers_goesOnAndSaysSo() {
        PackagedCommand.Running watch = command().start("watch", "--interval", "100ms");
        eventually("it shows the locks", () -> read(watch.out()).contains("no lock is held"));
        servers.forEach(server -> server.kill());
        eventually("it shows the outage", () -> read(watch.out()).contains("only 0 of 3 servers can list their locks"));

        servers.get(0).restartEmpty();
        servers.get(1).restartEmpty();
        eventually("it shows that they are back", () -> read(watch.out()).contains("in quarantine for "));
        assertThat(watch.process().isAlive()).isTrue();
        watch.process().destroyForcibly();

        PackagedCommand.Result last = command().run("watch", "--count", "1");
        assertThat(last.code()).isEqualTo(69);
        assertThat(last.err()).isEmpty();
        assertThat(command().run("watch", "--count", "1", "--json").out()).startsWith("{\"error\":\"cannot list");
        assertThat(command().run("watch", "--interval", "0s").code()).isEqualTo(64);
    }

    private static String read(Path file) {
        try {
            return Files.readString(file);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** The nodes store the greatest of the fences that were reserved for the holder's process. */
    @Test
    void status_heldLock_showsTheTokenThatTheCommandReceived() {
        Path token = directory.resolve("token");
        PackagedCommand.Running holder =
                command().start("run", name, "--", "sh", "-c", "echo $HOLDFAST_FENCE > " + token + "; exec sleep 1000");
        eventually("it runs", () -> Files.exists(token) && !read(token).isEmpty());
        eventually("the note is written", new LockKeys(servers, name)::hasNote);
        String fence = read(token).strip();

        assertThat(command().run("status", name).out().lines().findFirst().orElse(""))
                .contains(", fence " + fence);
        assertThat(command().run("list").out()).contains(", fence " + fence);
        assertThat(command().run("list", "--json").out()).contains("\"fence\":" + fence + ",");
        holder.process().destroyForcibly();
    }

    @Test
    void doctor_oneNewServer_isNotKeptOutByAQuarantine() {
        PackagedCommand one = new PackagedCommand(directory)
                .with(NodesOptions.VARIABLE, servers.addresses().get(0));
        servers.get(0).restartEmpty();

        PackagedCommand.Result doctor = one.run("doctor");

        assertThat(doctor.out())
                .contains("1 of 1 server votes; locks can be taken")
                .doesNotContain("in quarantine");
        assertThat(one.run("run", name, "-n", "--", "true").code()).isZero();
    }
}
