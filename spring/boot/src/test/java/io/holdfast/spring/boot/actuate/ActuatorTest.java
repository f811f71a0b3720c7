package io.holdfast.spring.boot.actuate;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.holdfast.Holdfast;
import io.holdfast.Lease;
import io.holdfast.jobs.Job;
import io.holdfast.servers.Eventually;
import io.holdfast.servers.PatientOptions;
import io.holdfast.servers.RedisServers;
import io.holdfast.spring.LockFactory;
import io.holdfast.spring.boot.TestApplication;
import java.net.http.HttpResponse;
import java.time.Duration;
import java.time.InstantSource;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.springframework.boot.SpringBootVersion;

/** Tests health, endpoint and meters over HTTP, on real servers. The pom runs it with Boot 4.0 and 4.1. */
@Tag("server")
class ActuatorTest {

    private static final Pattern QUARANTINED =
            Pattern.compile("holdfast_node_quarantine[a-z_]*\\{node=\"[^\"]*\"} [1-9]");
    /** Health that waits for slow servers. */
    private static final String PATIENT = "management.health.holdfast.timeout=1m";

    /** A quarantine that no test outlasts. */
    private static final String LONG_QUARANTINE = "holdfast.max-lease=1h";

    private static final String UNRESTRICTED = "management.endpoint.holdfast.access=unrestricted";

    private static final String ALL = "management.endpoints.web.exposure.include=*";

    private static TestApplication start(RedisServers servers, String... properties) {
        TestApplication application = TestApplication.start(servers.addresses(), properties);
        application.holdfast().admin().admit();
        return application;
    }

    @Test
    void boot_version_isTheOneOfThePom() {
        String expected = System.getProperty("holdfast.boot.version");
        assertThat(SpringBootVersion.getVersion())
                .isEqualTo(expected == null ? SpringBootVersion.getVersion() : expected);
    }

    @Test
    @Tag("evidence")
    void health_eachChangeOfTheNodes_isTrueAtOnce() throws Exception {
        try (RedisServers servers = RedisServers.start(3);
                TestApplication application = TestApplication.start(servers.addresses(), PATIENT, LONG_QUARANTINE)) {
            assertHealth(application, "UP", 1, "votes");

            servers.get(0).kill();
            assertHealth(application, "UP", 0, "down: ");

            servers.get(0).restartEmpty();
            Eventually.eventually(
                    "the server has begun its quarantine",
                    () -> isHealth(application, "UP", 0, "quarantine: votes in"));

            servers.get(1).restartEmpty();
            servers.get(2).restartEmpty();
            Eventually.eventually(
                    "no server votes until its quarantine is over",
                    () -> isHealth(application, "OUT_OF_SERVICE", -2, "quarantine: votes in"));
        }
    }

    /** The server that is left may not answer within this time either. */
    @Test
    void health_majorityIsSilent_isDownUntilItAnswers() throws Exception {
        try (RedisServers servers = RedisServers.start(3);
                TestApplication application =
                        TestApplication.start(servers.addresses(), ALL, "management.health.holdfast.timeout=2s")) {
            servers.get(0).freeze();
            servers.get(1).freeze();
            assertThat(application.get("health")).contains("\"status\":\"DOWN\"", ":\"down: no answer");
            assertThat(application.get("holdfast/a")).contains("\"resource\":\"a\",\"held\":null");

            servers.get(0).thaw();
            servers.get(1).thaw();
            Eventually.eventually("all vote again", () -> isHealth(application, "UP", 1, "votes"));
        }
    }

    private static void assertHealth(TestApplication application, String status, int spare, String node)
            throws Exception {
        assertThat(application.get("health")).contains(health(status, spare, node));
    }

    private static boolean isHealth(TestApplication application, String status, int spare, String node)
            throws Exception {
        return containsAll(application.get("health"), health(status, spare, node));
    }

    private static String[] health(String status, int spare, String node) {
        return new String[] {"\"spare\":" + spare, ":\"" + node, "\"status\":\"" + status + "\""};
    }

    private static boolean containsAll(String text, String... parts) {
        return Stream.of(parts).allMatch(text::contains);
    }

    @Test
    void endpoint_overview_showsLeasesAndNodesWithoutTheOwner() throws Exception {
        try (RedisServers servers = RedisServers.start(1);
                TestApplication application = start(servers, ALL);
                Lease lease =
                        application.bean(LockFactory.class).lock("order:7").acquire()) {
            Eventually.eventually(
                    "the lease is shown", () -> application.get("holdfast").contains("order:7"));
            assertThat(application.get("holdfast"))
                    .contains("\"fencingToken\":\"" + lease.fencingToken() + "\"")
                    .contains("\"state\":\"votes\"")
                    .doesNotContain(lease.owner().token());
            assertThat(application.get("holdfast/order:7"))
                    .contains("\"held\":true")
                    .doesNotContain(lease.owner().token());
            assertThat(application.get("holdfast/free/one")).contains("\"resource\":\"free/one\",\"held\":false");
            assertThat(application.get("holdfast/" + "x".repeat(600))).contains("\"held\":false");
        }
    }

    @Test
    void endpoint_list_hasTheLocksOfAllProcessesUpToTheLimit() throws Exception {
        try (RedisServers servers = RedisServers.start(1);
                TestApplication application = start(servers, ALL, UNRESTRICTED);
                Holdfast other = Holdfast.connect(
                        servers.addresses(),
                        PatientOptions.CLIENT.toBuilder().name("orders@pod-7").build());
                Lease first = other.lock("order:1", PatientOptions.LOCK).acquire();
                Lease second = other.lock("order:2", PatientOptions.LOCK).acquire()) {
            Eventually.eventually(
                    "the holder is named",
                    () -> application.get("holdfast?limit=10").contains("orders@pod-7, pid "));
            String all = application.get("holdfast?limit=10");

            assertThat(all)
                    .contains("\"heldBy\":[\"orders@pod-7, pid ")
                    .contains("\"resource\":\"order:1\",\"held\":true", "\"resource\":\"order:2\"")
                    .doesNotContain(first.owner().token(), second.owner().token());
            assertThat(application.get("holdfast?limit=1")).contains("order:1").doesNotContain("order:2");
            assertThat(application.ask("GET", "holdfast?limit=1001").statusCode())
                    .isEqualTo(400);
            assertThat(application.get("holdfast")).contains("\"locks\":null");
        }
    }

    @Test
    void endpoint_listByDefault_isForbidden() throws Exception {
        try (RedisServers servers = RedisServers.start(1);
                TestApplication application = start(servers, ALL)) {
            assertThat(application.ask("GET", "holdfast?limit=10").statusCode()).isEqualTo(403);
            assertThat(application.ask("GET", "holdfast").statusCode()).isEqualTo(200);
        }
    }

    @Test
    void endpoint_breakByDefault_isNotPossible() throws Exception {
        try (RedisServers servers = RedisServers.start(1);
                TestApplication application = start(servers, ALL);
                Lease lease =
                        application.bean(LockFactory.class).lock("order:7").acquire()) {
            String holder = holder(application);

            assertThat(application
                            .ask("DELETE", "holdfast/order:7?holder=" + holder)
                            .statusCode())
                    .isIn(404, 405);
            assertThat(servers.get(0).exec("EXISTS", "order:7")).isEqualTo(1L);
            assertThat(lease.isValid()).isTrue();
        }
    }

    @Test
    void endpoint_breakUnrestricted_removesTheHolderThatWasSeen() throws Exception {
        try (RedisServers servers = RedisServers.start(1);
                TestApplication application = start(servers, ALL, UNRESTRICTED);
                Lease lease =
                        application.bean(LockFactory.class).lock("order:7").acquire()) {
            HttpResponse<String> other = application.ask("DELETE", "holdfast/order:7?holder=another");
            boolean heldAfterOther = servers.get(0).exec("EXISTS", "order:7").equals(1L);
            HttpResponse<String> same = application.ask("DELETE", "holdfast/order:7?holder=" + holder(application));

            assertThat(lease.resource()).isEqualTo("order:7");
            assertThat(other.statusCode()).isEqualTo(409);
            assertThat(heldAfterOther).isTrue();
            assertThat(same.statusCode()).isEqualTo(200);
            assertThat(servers.get(0).exec("EXISTS", "order:7")).isEqualTo(0L);
            assertThat(application
                            .ask("DELETE", "holdfast/order:7?holder=another")
                            .statusCode())
                    .isEqualTo(404);
        }
    }

    private static String holder(TestApplication application) throws Exception {
        Matcher holder = Pattern.compile("\"holder\":\"([^\"]+)\"").matcher(application.get("holdfast/order:7"));
        assertThat(holder.find()).isTrue();
        return holder.group(1);
    }

    @Test
    void meters_leaseLostAndNodeInQuarantine_areScraped() throws Exception {
        try (RedisServers servers = RedisServers.start(3);
                TestApplication application = start(servers, ALL, LONG_QUARANTINE)) {
            Lease lease = application.bean(LockFactory.class).lock("order:7").acquire();
            lease.limit(Duration.ZERO);
            servers.get(0).kill();
            servers.get(0).restartEmpty();

            Eventually.eventually("the meters show the loss and the quarantine", () -> {
                application.bean(LockFactory.class).lock("order:8").acquire().close();
                return containsAll(
                                application.get("prometheus"),
                                "holdfast_lease_lost_total{lock=\"order\",reason=\"hold_limit\"} 1.0",
                                "holdfast_quorum_spare 0.0")
                        && QUARANTINED.matcher(application.get("prometheus")).find();
            });
            assertThat(application.get("prometheus"))
                    .contains("holdfast_node_requests_seconds_count{")
                    .contains("holdfast_acquire_seconds_count{lock=\"order\",mode=\"exclusive\",outcome=\"acquired\"")
                    .doesNotContain("order:7");
        }
    }

    /** Runs a job whose next run is overdue since an hour, and one that fails. */
    private static void runJobs(Holdfast holdfast) throws InterruptedException {
        Job.of(holdfast, "nightly")
                .withClock(InstantSource.offset(InstantSource.system(), Duration.ofHours(-4)))
                .expectEvery(Duration.ofHours(2))
                .run(run -> {});
        assertThatThrownBy(() -> Job.of(holdfast, "broken").run(run -> {
                    throw new IllegalStateException("fails");
                }))
                .hasMessage("fails");
    }

    @Test
    void jobs_overdueAndFailed_areShownEverywhere() throws Exception {
        try (RedisServers servers = RedisServers.start(1);
                TestApplication application =
                        start(servers, ALL, PATIENT, "holdfast.jobs.max-age=1ms", "holdfast.metrics.jobs=true")) {
            runJobs(application.holdfast());

            Eventually.eventually(
                    "health names the job",
                    () -> containsAll(application.get("health"), "\"overdueJobs\":[\"nightly\"]", "\"status\":\"UP\""));
            Eventually.eventually(
                    "the endpoint shows both jobs",
                    () -> containsAll(
                            application.get("holdfast"),
                            "{\"resource\":\"broken\",\"overdue\":false,\"failed\":true,",
                            "\"text\":\"java.lang.IllegalStateException\"",
                            "{\"resource\":\"nightly\",\"overdue\":true,\"failed\":false,"));
            Eventually.eventually(
                    "the meters show both jobs",
                    () -> containsAll(
                            application.get("prometheus"),
                            "holdfast_job_overdue{lock=\"nightly\"} 1.0",
                            "holdfast_job_failed{lock=\"broken\"} 1.0",
                            "holdfast_job_runs_seconds_count{lock=\"broken\",outcome=\"failed\"} 1"));
        }
    }

    @Test
    void jobs_overdueAndThePropertyIsSet_healthIsDown() throws Exception {
        try (RedisServers servers = RedisServers.start(1);
                TestApplication application =
                        start(servers, ALL, PATIENT, "management.health.holdfast.down-if-overdue=true")) {
            runJobs(application.holdfast());

            Eventually.eventually(
                    "health is down",
                    () -> containsAll(
                            application.get("health"), "\"overdueJobs\":[\"nightly\"]", "\"status\":\"DOWN\""));
            assertThat(application.get("prometheus"))
                    .contains("holdfast_quorum_spare")
                    .doesNotContain("holdfast_job");
        }
    }
}
