package io.holdfast.cli;

import static io.holdfast.cli.PackagedCommand.words;
import static io.holdfast.servers.Eventually.eventually;
import static org.assertj.core.api.Assertions.assertThat;

import io.holdfast.Holdfast;
import io.holdfast.cli.option.NodesOptions;
import io.holdfast.servers.PatientOptions;
import io.holdfast.servers.RedisServerOptions;
import io.holdfast.servers.RedisServers;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * Runs {@code doctor --wait}, and {@code doctor} on machines that lack programs and among clients that wait for each
 * other. {@link AdminTest} has the rest.
 */
@Tag("process")
@Execution(ExecutionMode.CONCURRENT)
class DoctorTest {

    @AutoClose
    private final RedisServers servers = RedisServers.start(3);

    @TempDir
    private Path directory;

    private PackagedCommand command() {
        return PackagedCommand.on(directory, servers);
    }

    private PackagedCommand.Result doctor(String... options) {
        return command().run(words(new String[] {"doctor", "--max-lease", "3s"}, options));
    }

    @Test
    @Tag("evidence")
    void doctor_waitForARestartedServer_endsItsQuarantineAndExitsZero() {
        assertThat(doctor("--wait", "0").code()).isZero();
        servers.get(2).restartEmpty();
        assertThat(doctor("--wait", "0").code()).isEqualTo(69);

        PackagedCommand.Result waited = doctor("--wait", "60s");

        assertThat(waited.code()).as("%s", waited).isZero();
        assertThat(waited.err()).isEmpty();
        assertThat(waited.out()).contains("3 of 3 servers vote; locks can be taken");
        assertThat(servers.get(2).exec("HGET", "holdfast:marker", "admitted")).isEqualTo("1");
    }

    @Test
    @Tag("evidence")
    void doctor_waitForAMajority_doesNotWaitForTheOthers() {
        assertThat(doctor("--wait", "0").code()).isZero();
        servers.get(2).kill();

        assertThat(doctor("--wait", "0", "--until", "majority").code()).isZero();
        assertThat(doctor("--wait", "300ms").code()).isEqualTo(69);

        servers.get(1).kill();
        assertThat(doctor("--wait", "300ms", "--until", "majority").code()).isEqualTo(69);
        servers.get(1).restartEmpty();
        assertThat(doctor("--wait", "60s", "--until", "majority").code()).isZero();
    }

    @Test
    void doctor_missingOrWrongPassword_saysSoOnceWithTheRemedy() {
        try (RedisServers locked = RedisServers.start(1, RedisServerOptions.DEFAULT.withPassword("right"))) {
            PackagedCommand command = new PackagedCommand(directory)
                    .with(
                            NodesOptions.VARIABLE,
                            "redis://127.0.0.1:" + locked.get(0).port());

            assertThat(errors(command.run("doctor")))
                    .singleElement()
                    .asString()
                    .contains("NOAUTH: the server requires a password", "HOLDFAST_PASSWORD or --password-file");
            PackagedCommand.Result wrong =
                    command.with("HOLDFAST_PASSWORD", "wrong").run("doctor");
            assertThat(errors(wrong))
                    .singleElement()
                    .asString()
                    .contains("WRONGPASS: the user or the password is wrong; within an address");
            assertThat(wrong.out()).doesNotContain("whether it runs");
            assertThat(wrong.code()).isEqualTo(2);
        }
    }

    private static List<String> errors(PackagedCommand.Result doctor) {
        return doctor.out().lines().filter(line -> line.contains("ERROR: ")).toList();
    }

    @Test
    void doctor_wrongCondition_exits64() {
        assertThat(doctor("--until", "all").err()).contains("--until has an effect with --wait only");
        assertThat(doctor("--wait", "1s", "--until", "some").err()).contains("'some' is none of all, majority");
        assertThat(doctor("--wait", "1s", "--until", "some").code()).isEqualTo(64);
    }

    @Test
    void doctor_envWithoutTheOption_saysWhatThatCosts() throws IOException {
        Path programs = Files.createDirectories(directory.resolve("programs"));
        PackagedCommand.program(programs.resolve("env"), "#!/bin/sh\nexit 125\n");

        PackagedCommand.Result doctor = command()
                .with("PATH", programs.toString())
                .start(List.of("setsid", PackagedCommand.LAUNCHER, "doctor"))
                .end();

        assertThat(doctor.out())
                .contains("this machine", "java ", "class archive    yes")
                .doesNotContain("no setsid")
                .contains("WARNING: no 'env --default-signal'", "ignores INT and QUIT", "coreutils 8.31");
        assertThat(doctor.code()).isEqualTo(1);
    }

    static List<Integer> cycles() {
        return Variants.first(1, Stream.of(3, 2));
    }

    @ParameterizedTest
    @MethodSource("cycles")
    @Tag("slow")
    void doctor_clientsWaitForEachOther_warnsAndNamesAllOfThem(int count) throws Exception {
        List<Holdfast> clients =
                IntStream.range(0, count).mapToObj(i -> named("client-" + i)).toList();
        try {
            for (int i = 0; i < count; i++) {
                clients.get(i).lock("lock-" + i, PatientOptions.LOCK).acquire();
            }
            assertThat(command().run("doctor").out()).doesNotContain("waiting clients");
            for (int i = 0; i < count; i++) {
                clients.get(i)
                        .lock("lock-" + (i + 1) % count, PatientOptions.LOCK)
                        .acquireAsync();
            }

            eventually("the cycle is named", () -> command().run("doctor").out().contains("wait for each other"));
            PackagedCommand.Result doctor = command().run("doctor");

            assertThat(doctor.out()).contains("WARNING: these clients wait for each other: client-");
            for (int i = 0; i < count; i++) {
                assertThat(doctor.out())
                        .contains("client-" + i + ", pid "
                                + ProcessHandle.current().pid() + " waits for 'lock-" + (i + 1) % count + "' since ");
            }
            assertThat(doctor.out())
                    .contains("remedy: if this lasts longer than the work under these locks, acquire them at once");
            assertThat(doctor.code()).isEqualTo(1);
            assertThat(command().run("doctor", "--json").out())
                    .contains("\"verdict\":1", "\"cycles\":[[{\"name\":\"client-", "\"waitsFor\":\"lock-");
        } finally {
            clients.forEach(Holdfast::close);
        }
    }

    private Holdfast named(String client) {
        return Holdfast.connect(
                servers.addresses(),
                PatientOptions.CLIENT.toBuilder().name(client).build());
    }

    @Test
    @Tag("evidence")
    void doctor_userMayNotScan_saysThatWaitsWereNotExamined() {
        servers.forEach(server -> server.exec("ACL SETUSER narrow on >pw ~* &* +@all -scan".split(" ")));
        PackagedCommand narrow = new PackagedCommand(directory)
                .with(
                        NodesOptions.VARIABLE,
                        servers.addresses().stream()
                                .map(address -> address.replace("redis://", "redis://narrow:pw@"))
                                .collect(Collectors.joining(",")));

        PackagedCommand.Result doctor = narrow.run("doctor");

        assertThat(doctor.code()).isZero();
        assertThat(doctor.out())
                .contains("NOTE: not examined whether clients wait for each other: only 0 of 3 servers", "NOPERM");
        assertThat(narrow.run("doctor", "--json").out()).contains("\"cycles\":null");
    }
}
