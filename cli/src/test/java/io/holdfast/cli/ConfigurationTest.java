package io.holdfast.cli;

import static io.holdfast.cli.PackagedCommand.words;
import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.abort;

import io.holdfast.cli.option.ConfigFile;
import io.holdfast.cli.option.Credentials;
import io.holdfast.cli.option.NodesOptions;
import io.holdfast.servers.FreePorts;
import io.holdfast.servers.RedisServer;
import io.holdfast.servers.RedisServerOptions;
import io.holdfast.servers.RedisServers;
import io.holdfast.servers.ServerCertificate;
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

/**
 * Tests the sources of the node addresses, the credentials and the trusted certificates. The tests run at the same time
 * on the same servers, so each names a lock of its own.
 */
@Tag("process")
@Execution(ExecutionMode.CONCURRENT)
class ConfigurationTest {

    @AutoClose
    private static final RedisServers servers = RedisServers.start(3);

    @TempDir
    private Path directory;

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

    /** The default of Redis with TLS. */
    @Test
    void run_serverRequiresACertificate_needsTheOnesOfTheOptionsOrTheFile() throws Exception {
        ServerCertificate certificate = ServerCertificate.in(directory);
        ServerCertificate other = ServerCertificate.in(Files.createDirectory(directory.resolve("other")));
        String ca = certificate.certificate().toString();
        String key = certificate.key().toString();
        Files.setPosixFilePermissions(certificate.key(), PosixFilePermissions.fromString("rw-------"));
        Files.setPosixFilePermissions(other.key(), PosixFilePermissions.fromString("rw-------"));
        int port = FreePorts.next();
        try (RedisServer server = tls(certificate.options(port).withConfig("tls-auth-clients yes"))) {
            assertThat(server.isAlive()).isTrue();
            String nodes = "rediss://127.0.0.1:" + port;
            PackagedCommand command = new PackagedCommand(directory).with(NodesOptions.VARIABLE, nodes);

            assertThat(command.run("run", "x", "--ca", ca, "--cert", ca, "--key", key, "--", "true"))
                    .isEqualTo(new PackagedCommand.Result(0, "", ""));
            // A busy machine needs seconds for a handshake. What waiting does not mend is reported at once.
            PackagedCommand.Result without = command.run("run", "x", "--wait", "3m", "--ca", ca, "--", "true");
            PackagedCommand.Result foreign = command.run(
                    "run",
                    "x",
                    "--wait",
                    "3m",
                    "--ca",
                    ca,
                    "--cert",
                    other.certificate().toString(),
                    "--key",
                    other.key().toString(),
                    "--",
                    "true");

            assertThat(without.code()).isEqualTo(69);
            assertThat(without.err())
                    .contains("the server requires a certificate of this client", "--cert and --key")
                    .doesNotContain("Broken pipe", "redis://a");
            assertThat(foreign.code()).isEqualTo(69);
            assertThat(foreign.err()).contains("the server refuses the certificate of this client");
            assertThat(new PackagedCommand(directory)
                            .with(
                                    ConfigFile.VARIABLE,
                                    file("nodes=" + nodes, "ca=" + ca, "cert=" + ca, "key=" + key)
                                            .toString())
                            .run("run", "x", "--", "true"))
                    .isEqualTo(new PackagedCommand.Result(0, "", ""));
        }
    }

    @Test
    @Tag("evidence")
    void run_certificateThatCannotBeUsed_exits64() throws Exception {
        ServerCertificate certificate = ServerCertificate.in(directory);
        ServerCertificate other = ServerCertificate.in(Files.createDirectory(directory.resolve("other")));
        String cert = certificate.certificate().toString();
        Path old = Files.writeString(
                directory.resolve("old.key"),
                Files.readString(certificate.key()).replace("PRIVATE KEY", "RSA PRIVATE KEY"));
        Path exposed = Files.setPosixFilePermissions(certificate.key(), PosixFilePermissions.fromString("rw-r--r--"));
        PackagedCommand command = new PackagedCommand(directory).with(NodesOptions.VARIABLE, "rediss://127.0.0.1:1");

        assertThat(usage(command, "--cert", cert)).contains("--cert and --key belong together");
        assertThat(usage(command, "--cert", cert, "--key", other.key().toString()))
                .contains("does not belong to the certificate");
        assertThat(usage(command, "--cert", cert, "--key", old.toString()))
                .contains("openssl pkcs8 -topk8 -nocrypt -in " + old);
        assertThat(usage(command, "--cert", exposed.toString(), "--key", exposed.toString()))
                .contains("is not in PEM format", "warning: other users may read the key in " + exposed);
    }

    private static String usage(PackagedCommand command, String... options) {
        PackagedCommand.Result result = command.run(words(new String[] {"status", "x"}, options));
        assertThat(result.code()).isEqualTo(64);
        return result.err();
    }

    @Test
    void run_addressesWithoutScheme_exits64WithTheAddressesToWrite() {
        PackagedCommand command = new PackagedCommand(directory);

        assertThat(usage(command, "--nodes", "127.0.0.1:6379,b:6380"))
                .contains("--nodes: an address begins with its scheme; write redis://127.0.0.1:6379,redis://b:6380");
        assertThat(usage(command.with(NodesOptions.VARIABLE, ":secret@127.0.0.1:6379")))
                .contains(NodesOptions.VARIABLE)
                .doesNotContain("secret");
    }

    private static RedisServer tls(ServerCertificate certificate, int port) {
        return tls(certificate.options(port));
    }

    private static RedisServer tls(RedisServerOptions options) {
        try {
            return RedisServer.start(options);
        } catch (IllegalStateException e) {
            return abort("The server does not support TLS");
        }
    }

    /** Such a user is `?` for Java: a directory of that name is not the home, nor one user. */
    @Test
    void command_userUnknownToTheSystem_usesNoDirectoryOfThatName() throws IOException {
        Path planted = Files.createDirectories(directory.resolve("?/.config/holdfast"));
        Files.writeString(planted.resolve("config"), "nodes=redis://other");
        String java = "exec env -u HOME -u XDG_CONFIG_HOME -u XDG_RUNTIME_DIR \"$JAVA_HOME/bin/java\" -Duser.home=? "
                + "-Duser.name=? -Djava.io.tmpdir=. -cp '" + PackagedCommand.JAR + "' io.holdfast.cli.Main ";

        assertThat(new PackagedCommand(directory)
                        .exec("sh", "-c", java + "config check")
                        .out())
                .doesNotContain("redis://other");
        assertThat(new PackagedCommand(directory)
                        .exec("sh", "-c", java + "local status")
                        .err())
                .isEmpty();
        assertThat(directory.resolve("holdfast-?")).doesNotExist();
    }
}
