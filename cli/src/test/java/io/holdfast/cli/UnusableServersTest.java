package io.holdfast.cli;

import static io.holdfast.cli.PackagedCommand.words;
import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.abort;

import io.holdfast.cli.option.NodesOptions;
import io.holdfast.servers.FreePorts;
import io.holdfast.servers.RedisServer;
import io.holdfast.servers.RedisServers;
import io.holdfast.servers.ServerCertificate;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;
import org.junit.jupiter.api.parallel.ResourceLock;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Servers that the command cannot use however long it waits, and addresses that lead to none. */
@Tag("process")
@Execution(ExecutionMode.CONCURRENT)
@ResourceLock("unusableServers")
class UnusableServersTest {

    @AutoClose
    private static final RedisServers servers = RedisServers.start(3);

    @TempDir
    private Path directory;

    private PackagedCommand.Result run(String nodes, String... options) {
        return new PackagedCommand(directory)
                .with(NodesOptions.VARIABLE, nodes)
                .run(words(words(new String[] {"run", "unusable"}, options), "--", "true"));
    }

    private static String address(int server) {
        return servers.addresses().get(server);
    }

    /** The command tries for 10 s if the servers may come back. Only the evidence measures the time. */
    private static void assertAtOnce(PackagedCommand.Result result, String... messages) {
        assertThat(result.code()).isEqualTo(69);
        assertThat(result.err()).contains(messages);
        if (Boolean.getBoolean("holdfast.evidence")) {
            assertThat(result.err()).doesNotContainPattern("tried for 1\\d(\\d{3} ms|\\.\\d s)");
        }
    }

    static List<String> malformedAddresses() {
        return Variants.first(
                2,
                Stream.of(
                        "redis://:se#cret@127.0.0.1",
                        "secret@127.0.0.1",
                        "redis://:se?cret@127.0.0.1",
                        "redis://:se/cret@127.0.0.1",
                        "rediss:/:secret@127.0.0.1",
                        "redis://127.0.0.1:6379:secret",
                        "redis://:secret@127.0.0.1:99999"));
    }

    @ParameterizedTest
    @MethodSource("malformedAddresses")
    void run_malformedAddress_exits64WithoutAnyPartOfIt(String address) {
        PackagedCommand.Result result = run(address(0) + "," + address);

        assertThat(result.code()).isEqualTo(64);
        assertThat(result.err())
                .contains(NodesOptions.VARIABLE + ": The 2nd address is not valid")
                .doesNotContain("cret");
    }

    @Test
    void run_wrongPassword_failsAtOnce() {
        assertAtOnce(
                run(address(0).replace("redis://", "redis://unknown:wrong@")),
                "WRONGPASS: the user or the password is wrong");
    }

    /** A job with a wrong address must not be skipped forever, nor run without its lock. */
    @ParameterizedTest
    @ValueSource(strings = {"fail", "skip", "run"})
    void run_databaseThatDoesNotExist_failsAtOnceWhateverTheReaction(String reaction) {
        assertAtOnce(
                run(address(0) + "/99", "--on-unreachable", reaction),
                "no database of this number; correct the number behind the host");
    }

    @Test
    void doctor_databaseThatDoesNotExist_namesTheRemedy() {
        PackagedCommand.Result result = new PackagedCommand(directory)
                .with(NodesOptions.VARIABLE, address(0) + "/99")
                .run("doctor");

        assertThat(result.out()).contains("correct the number behind the host").doesNotContain("check whether it runs");
    }

    @ParameterizedTest
    @ValueSource(strings = {"fail", "skip", "run"})
    @Tag("evidence")
    void run_serverWithoutTls_failsWhateverTheReaction(String reaction) {
        PackagedCommand.Result result = run(address(0).replace("redis://", "rediss://"), "--on-unreachable", reaction);

        assertAtOnce(result, "it answers without TLS", "write redis:// in its address");
        assertThat(result.err()).doesNotContain("no answer yet", "does a server run there");
    }

    @ParameterizedTest
    @ValueSource(strings = {"skip", "run"})
    @Tag("evidence")
    void run_serverThatRequiresTls_failsWhateverTheReaction(String reaction) {
        int port = FreePorts.next();
        try (RedisServer server = tls(port)) {
            assertThat(server.isAlive()).isTrue();

            assertAtOnce(
                    run("redis://127.0.0.1:" + port, "--on-unreachable", reaction),
                    "the server requires TLS; write rediss:// in its address");
        }
    }

    private RedisServer tls(int port) {
        try {
            return RedisServer.start(ServerCertificate.in(directory).options(port));
        } catch (Exception e) {
            return abort("The server does not support TLS");
        }
    }

    /** Silence may be an outage, so it is none of the mistakes above. */
    @Test
    @Tag("evidence")
    void run_frozenServerBehindTls_isSkippedAsAnOutage() {
        try (RedisServers frozen = RedisServers.start(1)) {
            frozen.get(0).freeze();

            PackagedCommand.Result result =
                    run(frozen.addresses().get(0).replace("redis://", "rediss://"), "-n", "--on-unreachable=skip");

            frozen.get(0).thaw();
            assertThat(result).isEqualTo(new PackagedCommand.Result(0, "", ""));
        }
    }

    @Test
    void run_unknownParameter_exits64() {
        PackagedCommand.Result result = run(address(0) + "?lock=timestamps");

        assertThat(result.code()).isEqualTo(64);
        assertThat(result.err()).contains("has the unknown parameter 'lock'; remove it");
    }

    @Test
    void run_replicaOrEviction_failsAtOnce() {
        try (RedisServers others = RedisServers.start(2)) {
            others.get(0)
                    .exec(
                            "REPLICAOF",
                            "127.0.0.1",
                            Integer.toString(others.get(1).port()));
            assertAtOnce(run(others.addresses().get(0)), "it is a replica");
            others.get(1).exec("CONFIG", "SET", "maxmemory-policy", "allkeys-lru");
            others.get(1).exec("CONFIG", "SET", "maxmemory", "100mb");
            assertAtOnce(run(others.addresses().get(1)), "it evicts keys when memory is short");
        }
    }

    @Test
    void run_anotherSetOfServers_failsAtOnce() {
        // A run ends when two servers have voted; the third may not know of the set then.
        assertThat(PackagedCommand.on(directory, servers).run("admit").code()).isZero();

        assertAtOnce(run(address(0)), "it belongs to a set of 3 nodes", "this client uses 1 node");
        assertAtOnce(run(String.join(",", servers.addresses()), "--max-lease", "2m"), "longest lease 120 s");
    }

    @Test
    void run_oneOfThreeUnusable_acquires() {
        String wrong = address(0).replace("redis://", "redis://unknown:wrong@");

        assertThat(run(String.join(",", List.of(wrong, address(1), address(2)))).code())
                .isZero();
    }

    @Test
    void run_oneServerUnderTwoNames_exits64() {
        String name = address(0).replace("127.0.0.1", "localhost");

        PackagedCommand.Result result = run(String.join(",", List.of(address(0), name, address(1))));

        assertThat(result.code()).isEqualTo(64);
        assertThat(result.err()).contains("localhost:" + servers.get(0).port() + " are the same server");
    }

    @Test
    void run_emptyPasswordFile_exits64() throws IOException {
        Path file = Files.createFile(directory.resolve("empty"));

        PackagedCommand.Result empty = run(address(0), "--password-file", file.toString());

        assertThat(empty.code()).isEqualTo(64);
        assertThat(empty.err()).contains("the password file " + file + " is empty");
    }
}
