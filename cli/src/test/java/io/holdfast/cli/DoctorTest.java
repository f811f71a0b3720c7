package io.holdfast.cli;

import static io.holdfast.cli.PackagedCommand.words;
import static org.assertj.core.api.Assertions.assertThat;

import io.holdfast.cli.option.NodesOptions;
import io.holdfast.servers.RedisServerOptions;
import io.holdfast.servers.RedisServers;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.List;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;

/** Runs {@code doctor --wait}, and {@code doctor} on machines that lack programs. {@link AdminTest} has the rest. */
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

            assertThat(errors(command))
                    .singleElement()
                    .asString()
                    .contains("NOAUTH: the server requires a password", "HOLDFAST_PASSWORD or --password-file");
            assertThat(errors(command.with("HOLDFAST_PASSWORD", "wrong")))
                    .singleElement()
                    .asString()
                    .contains("WRONGPASS: the user or the password is wrong; within an address");
        }
    }

    private static List<String> errors(PackagedCommand command) {
        return command.run("doctor")
                .out()
                .lines()
                .filter(line -> line.contains("ERROR: "))
                .toList();
    }

    @Test
    void doctor_wrongCondition_exits64() {
        assertThat(doctor("--until", "all").err()).contains("--until has an effect with --wait only");
        assertThat(doctor("--wait", "1s", "--until", "some").err()).contains("'some' is none of all, majority");
        assertThat(doctor("--wait", "1s", "--until", "some").code()).isEqualTo(64);
    }

    @Test
    void doctor_machineWithoutPrograms_saysWhatThatCosts() throws IOException {
        Path programs = Files.createDirectories(directory.resolve("programs"));
        for (String program : new String[] {"sh", "readlink", "touch", "mv", "cat"}) {
            assertThat(PackagedCommand.shell("ln -s \"$(command -v " + program + ")\" " + programs))
                    .isTrue();
        }
        Path env = Files.writeString(programs.resolve("env"), "#!/bin/sh\nexit 125\n");
        Files.setPosixFilePermissions(env, PosixFilePermissions.fromString("rwxr-xr-x"));

        PackagedCommand.Result doctor = command()
                .with("PATH", programs.toString())
                .start(List.of("setsid", PackagedCommand.LAUNCHER, "doctor"))
                .end();

        assertThat(doctor.out())
                .contains("this machine", "java ", "class archive    yes")
                .contains("WARNING: no setsid: without a terminal", "install util-linux")
                .contains("WARNING: no 'env --default-signal'", "ignores INT and QUIT", "coreutils 8.31");
        assertThat(doctor.code()).isEqualTo(1);
    }
}
