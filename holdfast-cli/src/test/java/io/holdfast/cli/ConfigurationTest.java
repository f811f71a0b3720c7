package io.holdfast.cli;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.abort;

import io.holdfast.cli.option.ConfigFile;
import io.holdfast.cli.option.Credentials;
import io.holdfast.cli.option.NodesOptions;
import io.holdfast.servers.FreePorts;
import io.holdfast.servers.RedisServer;
import io.holdfast.servers.RedisServers;
import io.holdfast.servers.ServerCertificate;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;

/**
 * Tests the sources of the node addresses, the credentials and the trusted certificates. The tests run at the same time
 * on the same servers, so each names a lock of its own.
 */
@Tag("process")
@Execution(ExecutionMode.CONCURRENT)
class ConfigurationTest {

    private static RedisServers servers;

    @TempDir
    private Path directory;

    @BeforeAll
    static void start() {
        servers = RedisServers.start(3);
    }

    @AfterAll
    static void stop() {
        servers.close();
    }

    private Path file(String... lines) throws IOException {
        return Files.write(directory.resolve("somewhere"), List.of(lines));
    }

    @Test
    void run_nodesInUserFile_connects() throws IOException {
        Files.createDirectories(directory.resolve("holdfast"));
        Files.writeString(
                directory.resolve("holdfast/config"),
                "# all of them\nnodes = " + String.join(",", servers.addresses()) + "\nmax-lease = 1m\n");

        assertThat(new PackagedCommand(directory)
                        .run("run", "configured", "--", "echo", "in")
                        .out())
                .isEqualTo("in\n");
    }

    /** A line in a crontab may set HOME, which then is not the directory in the list of users. */
    @Test
    void run_homeOfTheEnvironment_containsTheUserFile() throws IOException {
        Files.createDirectories(directory.resolve("home/.config/holdfast"));
        Files.writeString(
                directory.resolve("home/.config/holdfast/config"), "nodes=" + String.join(",", servers.addresses()));

        assertThat(new PackagedCommand(directory)
                        .with("XDG_CONFIG_HOME", "")
                        .with("HOME", directory.resolve("home").toString())
                        .run("run", "configured-at-home", "--", "echo", "in")
                        .out())
                .isEqualTo("in\n");
    }

    @Test
    void run_severalSources_usesTheMostSpecific() throws IOException {
        Path file = file("nodes=redis://127.0.0.1:1");
        String good = String.join(",", servers.addresses());

        PackagedCommand named = new PackagedCommand(directory).with(ConfigFile.VARIABLE, file.toString());

        assertThat(named.run("run", "most-specific", "-n", "--", "true").code()).isEqualTo(69);
        assertThat(named.run("run", "most-specific", "-n", "--nodes", good, "--", "true")
                        .code())
                .isZero();
        assertThat(named.with(NodesOptions.VARIABLE, good)
                        .run("run", "most-specific", "-n", "--", "true")
                        .code())
                .isZero();
    }

    @Test
    void run_wrongKeyInFile_printsItAndTheKnownKeys() throws IOException {
        PackagedCommand.Result wrongKey = new PackagedCommand(directory)
                .with(ConfigFile.VARIABLE, file("node=redis://a:1").toString())
                .run("run", "x", "--", "true");
        PackagedCommand.Result wrongValue = new PackagedCommand(directory)
                .with(
                        ConfigFile.VARIABLE,
                        file("nodes=redis://a:1", "max-lease=soon").toString())
                .run("run", "x", "--", "true");

        assertThat(wrongKey.code()).isEqualTo(64);
        assertThat(wrongKey.err()).contains("'node'", "nodes", "max-lease");
        assertThat(wrongValue.code()).isEqualTo(64);
        assertThat(wrongValue.err()).contains("max-lease in the configuration file", "soon");
        assertThat(new PackagedCommand(directory)
                        .with(ConfigFile.VARIABLE, "/nowhere")
                        .run("run", "x", "--", "true")
                        .err())
                .contains("/nowhere cannot be read: it does not exist");
    }

    @Test
    void run_userAndPassword_readsThemFromFileOrEnvironment() throws IOException {
        servers.forEach(server -> server.exec("ACL SETUSER cron on >p@s:s/ ~* &* +@all".split(" ")));
        Path secret = Files.writeString(directory.resolve("secret"), "p@s:s/\n");
        PackagedCommand command = PackagedCommand.on(directory, servers);

        assertThat(command.run(
                                "run",
                                "credentials",
                                "--user",
                                "cron",
                                "--password-file",
                                secret.toString(),
                                "--",
                                "true")
                        .code())
                .isZero();
        assertThat(command.with(Credentials.PASSWORD_VARIABLE, "wrong")
                        .run("run", "credentials", "-n", "--user", "cron", "--", "true")
                        .err())
                .contains("WRONGPASS")
                .doesNotContain("wrong@");
        assertThat(command.with(Credentials.PASSWORD_VARIABLE, "p@s:s/")
                        .run("run", "credentials", "--user", "cron", "--", "true")
                        .code())
                .isZero();
    }

    @Test
    @Tag("evidence")
    void run_ownCertificate_trustsItOnlyWithTheOption() throws Exception {
        ServerCertificate certificate = ServerCertificate.in(directory);
        int port = FreePorts.next();
        try (RedisServer server = tls(certificate, port)) {
            assertThat(server.isAlive()).isTrue();
            PackagedCommand command =
                    new PackagedCommand(directory).with(NodesOptions.VARIABLE, "rediss://127.0.0.1:" + port);

            assertThat(command.run("run", "x", "--ca", certificate.certificate().toString(), "--", "true")
                            .code())
                    .isZero();
            assertThat(command.run("run", "x", "-n", "--", "true").err())
                    .contains("its certificate is not signed by an authority", "--ca");
        }
        PackagedCommand.Result none = new PackagedCommand(directory)
                .run("run", "x", "--ca", "/nowhere", "--nodes", "rediss://127.0.0.1:1", "--", "true");
        assertThat(none.code()).isEqualTo(64);
        assertThat(none.err()).contains("/nowhere");
    }

    private static RedisServer tls(ServerCertificate certificate, int port) {
        try {
            return RedisServer.start(certificate.options(port));
        } catch (IllegalStateException e) {
            return abort("The server does not support TLS");
        }
    }
}
