package io.holdfast.cli;

import static org.assertj.core.api.Assertions.assertThat;

import io.holdfast.cli.exit.ExitCode;
import io.holdfast.servers.Eventually;
import io.holdfast.servers.RedisServers;
import java.io.IOException;
import java.net.InetAddress;
import java.net.Socket;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;

/** The command {@code console} as a process. */
@Tag("process")
@Execution(ExecutionMode.CONCURRENT)
class ConsoleTest {

    private static final Pattern SERVER = Pattern.compile("redis://127\\.0\\.0\\.1:(\\d+)");

    @TempDir
    private Path directory;

    private final HttpClient client = HttpClient.newHttpClient();

    private static URI address(PackagedCommand.Running console) throws IOException {
        Eventually.eventually(
                "the address", () -> Files.readString(console.out()).endsWith("\n"));
        return URI.create(Files.readString(console.out()).strip());
    }

    private String overview(URI page) throws Exception {
        return get(page.resolve("api/overview")).body();
    }

    private HttpResponse<String> get(URI uri) throws Exception {
        return client.send(HttpRequest.newBuilder(uri).build(), BodyHandlers.ofString());
    }

    private int act(URI page, String body) throws Exception {
        return client.send(
                        HttpRequest.newBuilder(page.resolve("api/demo"))
                                .header("Content-Type", "application/json")
                                .header("X-Holdfast-Console", "1")
                                .POST(HttpRequest.BodyPublishers.ofString(body))
                                .build(),
                        BodyHandlers.ofString())
                .statusCode();
    }

    private static boolean isUp(String port) {
        try (Socket socket = new Socket(InetAddress.getLoopbackAddress(), Integer.parseInt(port))) {
            return socket.isConnected();
        } catch (IOException refused) {
            return false;
        }
    }

    @Test
    void demo_viewerActs_isShown() throws Exception {
        PackagedCommand.Running console =
                new PackagedCommand(directory).start("console", "--demo", "--listen", "127.0.0.1:0");
        try {
            URI page = address(console);
            Eventually.eventually("a lock of a client", () -> overview(page).contains("orders@pod-"));
            String first = overview(page);
            List<String> ports = SERVER.matcher(first)
                    .results()
                    .map((MatchResult server) -> server.group(1))
                    .toList();
            assertThat(ports).hasSize(3);
            assertThat(get(page).body()).contains("<html");
            Eventually.eventually("the jobs before", () -> overview(page).contains("\"overdue\":true"));

            assertThat(act(page, "{\"action\":\"cycle\"}")).isEqualTo(200);
            Eventually.eventually("the cycle", () -> overview(page).contains("\"waitsFor\":\"stock\""));
            assertThat(act(page, "{\"action\":\"kill-client\",\"target\":\"0\"}"))
                    .isEqualTo(200);
            Eventually.eventually("the client", () -> overview(page).contains("\"killed\""));
            assertThat(act(page, "{\"action\":\"freeze\",\"target\":\"redis://127.0.0.1:" + ports.get(0) + "\"}"))
                    .isEqualTo(200);
            Eventually.eventually("the server", () -> overview(page).contains("unreachable"));
            assertThat(act(page, "{\"action\":\"restart\",\"target\":\"redis://127.0.0.1:" + ports.get(0) + "\"}"))
                    .isEqualTo(200);
            Eventually.eventually("the quarantine", () -> overview(page).contains("quarantineEnds"));
            assertThat(act(page, "{\"action\":\"thaw\",\"target\":\"redis://127.0.0.1:" + ports.get(0) + "\"}"))
                    .isEqualTo(400);

            console.signal("TERM");
            console.end();
            assertThat(ports).noneMatch(ConsoleTest::isUp);
        } finally {
            console.process().destroy();
        }
    }

    @Test
    void listen_beyondThisMachine_needsTheTokenInTheAddress() throws Exception {
        try (RedisServers servers = RedisServers.start(1)) {
            PackagedCommand.Running console =
                    PackagedCommand.on(directory, servers).start("console", "--listen", "0.0.0.0:0");
            try {
                URI page = address(console);
                assertThat(page.getQuery()).matches("token=\\w{31,}");
                assertThat(get(page).statusCode()).isEqualTo(303);
                assertThat(get(page.resolve("/api/overview")).statusCode()).isEqualTo(401);
            } finally {
                console.process().destroy();
            }
        }
    }

    @Test
    void tokenFile_shortToken_isRejected() throws Exception {
        Path file = Files.writeString(directory.resolve("token"), "short\n");
        try (RedisServers servers = RedisServers.start(1)) {
            PackagedCommand.Result result = PackagedCommand.on(directory, servers)
                    .run("console", "--listen", "127.0.0.1:0", "--token-file", file.toString());

            assertThat(result.code()).isEqualTo(ExitCode.USAGE);
            assertThat(result.err()).contains("a token has at least 16");
        }
    }
}
