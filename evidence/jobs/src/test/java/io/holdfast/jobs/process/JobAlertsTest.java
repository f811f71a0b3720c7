package io.holdfast.jobs.process;

import static org.assertj.core.api.Assertions.assertThat;

import com.sun.net.httpserver.HttpServer;
import io.holdfast.servers.Eventually;
import io.holdfast.servers.FreePorts;
import io.holdfast.servers.RedisServers;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;

/**
 * A job that no machine runs, as a real Prometheus sees it by an application with meters and by the file of the
 * command. The files of rules are the published ones, but an overdue job is reported sooner.
 */
@Tag("process")
@Tag("evidence")
@Execution(ExecutionMode.CONCURRENT)
class JobAlertsTest {

    /** With {@code --expect-every 1h}, a job is overdue this long after the start of its last success. */
    private static final Duration OVERDUE = Duration.ofMinutes(66);

    /** The time in which the first questions are to be asked, before the job is overdue. */
    private static final Duration BEFORE = Duration.ofSeconds(25);

    /** The files of rules. */
    private static final int FILES = 2;

    @AutoClose
    private final RedisServers servers = RedisServers.start(3);

    private final HttpClient client = HttpClient.newHttpClient();

    private final int application = FreePorts.next();
    private final int prometheus = FreePorts.next();

    @TempDir
    private Path directory;

    @AutoClose
    private Processes processes;

    @AutoClose
    private HttpServerOfFile collector;

    /** Stands for node_exporter: replies with the file of {@code holdfast jobs --metrics-file}. */
    private record HttpServerOfFile(HttpServer server) implements AutoCloseable {

        static HttpServerOfFile start(Path file) throws IOException {
            HttpServer server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
            server.createContext("/metrics", exchange -> {
                byte[] text = Files.exists(file) ? Files.readAllBytes(file) : new byte[0];
                exchange.getResponseHeaders().add("Content-Type", "text/plain; version=0.0.4");
                exchange.sendResponseHeaders(200, text.length);
                exchange.getResponseBody().write(text);
                exchange.close();
            });
            server.start();
            return new HttpServerOfFile(server);
        }

        int port() {
            return server.getAddress().getPort();
        }

        @Override
        public void close() {
            server.stop(0);
        }
    }

    @BeforeEach
    void start() throws IOException {
        Processes.require("prometheus", "prometheus");
        Processes.require("faketime", "faketime");
        processes = new Processes(directory, servers);
        collector = HttpServerOfFile.start(directory.resolve("jobs.prom"));
    }

    private void startApplication() {
        processes.start(
                directory.resolve("application.log"),
                Processes.java(
                        WatchingApplication.class,
                        "--server.port=" + application,
                        "--server.tomcat.basedir=" + directory.resolve("tomcat"),
                        "--spring.main.banner-mode=off",
                        "--logging.level.root=warn",
                        "--holdfast.nodes=" + String.join(",", servers.addresses()),
                        "--holdfast.jobs.max-age=1s",
                        "--holdfast.metrics.jobs=true",
                        "--management.endpoint.health.show-details=always",
                        "--management.endpoints.web.exposure.include=*"));
    }

    private void startPrometheus() throws IOException {
        Files.writeString(directory.resolve("prometheus.yml"), """
                global: {scrape_interval: 1s, evaluation_interval: 1s}
                rule_files:
                  - %s
                  - %s
                scrape_configs:
                  - job_name: application
                    metrics_path: /actuator/prometheus
                    static_configs: [{targets: ['localhost:%d']}]
                  - job_name: node
                    static_configs: [{targets: ['127.0.0.1:%d']}]
                """.formatted(
                rules("integrations/micrometer/src/main/resources/io/holdfast/micrometer/prometheus-alerts.yml"),
                rules("cli/src/dist/examples/holdfast-alerts.yml"),
                application,
                collector.port()));
        processes.start(
                directory.resolve("prometheus.log"),
                List.of(
                        "prometheus",
                        "--config.file=" + directory.resolve("prometheus.yml"),
                        "--storage.tsdb.path=" + directory.resolve("data"),
                        "--web.listen-address=127.0.0.1:" + prometheus));
    }

    /** Returns a copy of a file of rules by which an overdue job is reported sooner. */
    private Path rules(String file) throws IOException {
        String published = Files.readString(Path.of("../..").resolve(file));
        assertThat(published).contains("for: 2m");
        Path copy = directory.resolve(Path.of(file).getFileName());
        return Files.writeString(copy, published.replace("for: 2m", "for: 2s")).toAbsolutePath();
    }

    private Processes.Result jobs() {
        return processes.run(processes.holdfast(List.of(), "jobs", "--metrics-file", "jobs.prom"));
    }

    private Processes.Result run(Duration clock, String job, String program) {
        return processes.run(
                processes.holdfast(Processes.withClock(clock), "run", job, "--expect-every", "1h", "--", program));
    }

    /** Returns the reply; empty while the server does not reply with success. */
    private String get(String address) throws InterruptedException {
        try {
            HttpResponse<String> response = client.send(
                    HttpRequest.newBuilder(URI.create(address)).build(), HttpResponse.BodyHandlers.ofString());
            return response.body();
        } catch (IOException notYet) {
            return "";
        }
    }

    private boolean healthSays(String detail) throws InterruptedException {
        return get("http://localhost:" + application + "/actuator/health").contains("\"overdueJobs\":" + detail);
    }

    /**
     * Returns whether the alerts that fire for a job are these, and no others. Each file of rules has both alerts, and
     * each sees the metrics of both sources.
     */
    private boolean firesFor(String job, String... alerts) throws InterruptedException {
        jobs();
        String all = get("http://127.0.0.1:" + prometheus + "/api/v1/alerts");
        return all.contains("\"success\"")
                && Stream.of("HoldfastJobOverdue", "HoldfastJobFailed")
                        .allMatch(alert -> Stream.of("application", "node").allMatch(source -> {
                            int expected = List.of(alerts).contains(alert) ? FILES : 0;
                            return expected == firing(all, alert, source, job);
                        }));
    }

    private static long firing(String all, String alert, String source, String job) {
        String labels = "\"alertname\":\"" + alert + "\",\"job\":\"" + source + "\",\"lock\":\"" + job + "\"";
        return Stream.of(all.split("\\{\"labels\":\\{"))
                .filter(one -> one.startsWith(labels) && one.contains("\"state\":\"firing\""))
                .count();
    }

    @Test
    void overdue_noMachineRunsTheJob_isNoticedEverywhere() throws Exception {
        startApplication();
        startPrometheus();
        Eventually.eventually("the application is up and knows of no job", () -> healthSays("[]"));

        Instant overdue = Instant.now().plus(BEFORE);
        assertThat(run(OVERDUE.minus(BEFORE).negated(), "backup", "true").code())
                .isZero();
        Processes.Result early = jobs();
        assertThat(early.output()).contains("'backup'  ");
        if (Instant.now().isBefore(overdue)) {
            assertThat(early).returns(0, Processes.Result::code);
        }

        Eventually.eventually("the command exits with 1", () -> jobs().code() == 1);
        assertThat(Instant.now()).isAfter(overdue.minusSeconds(1));
        assertThat(jobs().output()).startsWith("'backup'  OVERDUE, ok; was due ");
        Eventually.eventually("the alert fires", () -> firesFor("backup", "HoldfastJobOverdue"));
        Eventually.eventually("health names the job", () -> healthSays("[\"backup\"]"));

        assertThat(run(Duration.ZERO, "backup", "false").code()).isEqualTo(1);
        Eventually.eventually("both alerts fire", () -> firesFor("backup", "HoldfastJobOverdue", "HoldfastJobFailed"));
        assertThat(run(Duration.ZERO, "backup", "true").code()).isZero();
        Eventually.eventually("no alert fires", () -> firesFor("backup"));
        Eventually.eventually("health names no job", () -> healthSays("[]"));
        assertThat(jobs().code()).isZero();
    }
}
