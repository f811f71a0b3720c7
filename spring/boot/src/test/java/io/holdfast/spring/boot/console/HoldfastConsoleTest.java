package io.holdfast.spring.boot.console;

import static org.assertj.core.api.Assertions.assertThat;

import io.holdfast.Holdfast;
import io.holdfast.Lease;
import io.holdfast.servers.Eventually;
import io.holdfast.servers.PatientOptions;
import io.holdfast.servers.RedisServers;
import io.holdfast.spring.LockFactory;
import io.holdfast.spring.boot.TestApplication;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.function.UnaryOperator;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;
import org.springframework.boot.actuate.endpoint.web.PathMappedEndpoints;

/** Tests the console of an application over HTTP, with Spring MVC and WebFlux. */
@Tag("server")
@Tag("slow")
class HoldfastConsoleTest {

    private static final String EXPOSED = "management.endpoints.web.exposure.include=holdfast-console";
    private static final String UNRESTRICTED = "management.endpoint.holdfast-console.access=unrestricted";
    private static final String ALLOWED = "management.endpoint.holdfast-console.allow-break=true";
    private static final String PAGE = "/actuator/holdfast-console/";
    private static final UnaryOperator<HttpRequest.Builder> GET = HttpRequest.Builder::GET;

    /** One test runs on both in {@code verify}. */
    static Stream<String> stacks() {
        return Boolean.getBoolean("holdfast.evidence") ? Stream.of("servlet", "reactive") : Stream.of("servlet");
    }

    @AutoClose
    private final RedisServers servers = RedisServers.start(1);

    private TestApplication start(String stack, String... properties) {
        List<String> all = new ArrayList<>(List.of(properties));
        all.add("spring.main.web-application-type=" + stack);
        all.add("spring.application.name=shop");
        TestApplication application = TestApplication.start(servers.addresses(), all.toArray(String[]::new));
        application.holdfast().admin().admit();
        return application;
    }

    private static String header(HttpResponse<String> answer, String name) {
        return answer.headers().firstValue(name).orElse("");
    }

    private static void requireProtected(HttpResponse<String> answer) {
        assertThat(header(answer, "Content-Security-Policy")).startsWith("default-src 'none'; script-src 'self';");
        assertThat(header(answer, "X-Content-Type-Options")).isEqualTo("nosniff");
        assertThat(header(answer, "Referrer-Policy")).isEqualTo("no-referrer");
        assertThat(header(answer, "Cache-Control")).isEqualTo("no-store");
    }

    private static Stream<String> threads() {
        return Thread.getAllStackTraces().keySet().stream()
                .map(Thread::getName)
                .filter(name -> name.startsWith("holdfast-console"));
    }

    private long scans() {
        Matcher calls = Pattern.compile("cmdstat_scan:calls=(\\d+)")
                .matcher(String.valueOf(servers.get(0).exec("INFO", "commandstats")));
        return calls.find() ? Long.parseLong(calls.group(1)) : 0;
    }

    @ParameterizedTest
    @ValueSource(strings = {"servlet", "reactive"})
    void page_eachFile_hasItsTypeAndProtection(String stack) throws Exception {
        try (TestApplication application = start(stack, EXPOSED, "server.forward-headers-strategy=framework")) {
            requireFile(application, "", 200, "text/html;charset=utf-8");
            assertThat(application
                            .send(PAGE, request -> request.GET().header("X-Forwarded-For", "203.0.113.7"))
                            .statusCode())
                    .as("behind a proxy")
                    .isEqualTo(200);
            requireFile(application, "main.js", 200, "text/javascript;charset=utf-8");
            requireFile(application, "lib/preact.js", 200, "text/javascript;charset=utf-8");
            requireFile(application, "icon.svg", 200, "image/svg+xml");
            requireFile(application, "api/openapi.json", 200, "application/json");
            requireFile(application, "api/events", 204, "");
            requireFile(application, "none", 404, "application/problem+json");

            assertThat(threads()).isEmpty();
            assertThat(scans()).isZero();
        }
    }

    private static void requireFile(TestApplication application, String path, int status, String type)
            throws Exception {
        HttpResponse<String> answer = application.send(PAGE + path, GET);
        HttpResponse<String> head =
                application.send(PAGE + path, request -> request.method("HEAD", BodyPublishers.noBody()));

        assertThat(answer.statusCode()).as(path).isEqualTo(status);
        assertThat(header(answer, "Content-Type").replace(" ", "")).isEqualToIgnoringCase(type);
        assertThat(answer.body().isEmpty()).isEqualTo(type.isEmpty());
        requireProtected(answer);
        assertThat(head.statusCode()).isEqualTo(status);
        assertThat(head.body()).isEmpty();
        requireProtected(head);
    }

    @ParameterizedTest
    @MethodSource("stacks")
    void page_pathWithoutSlash_isRedirectedAndLinked(String stack) throws Exception {
        try (TestApplication application = start(stack, EXPOSED)) {
            HttpResponse<String> answer = application.send("/actuator/holdfast-console", GET);

            assertThat(answer.statusCode()).isEqualTo(303);
            assertThat(header(answer, "Location")).isEqualTo("holdfast-console/");
            requireProtected(answer);
            assertThat(application.send("/actuator", GET).body()).contains("/actuator/holdfast-console\"");
            assertThat(application.bean(PathMappedEndpoints.class).getAllPaths())
                    .as("what rules of Spring Security for endpoints apply to")
                    .contains("/actuator/holdfast-console");
        }
    }

    @ParameterizedTest
    @MethodSource("stacks")
    void overview_lockOfTheApplication_hasItsNameAndQueue(String stack) throws Exception {
        try (TestApplication application = start(stack, EXPOSED);
                Holdfast other = Holdfast.connect(
                        servers.addresses(),
                        PatientOptions.CLIENT.toBuilder().name("orders@pod-7").build());
                Lease lease =
                        application.bean(LockFactory.class).lock("order:7").acquire()) {
            CompletableFuture<Lease> waiter =
                    other.lock("order:7", PatientOptions.LOCK).acquireAsync();

            Eventually.eventually("the holder and the waiter are named", () -> {
                String body = application.send(PAGE + "api/overview", GET).body();
                return body.contains("\"name\":\"order:7\",\"state\":\"held\"")
                        && body.contains("\"name\":\"shop@")
                        && body.contains("\"name\":\"orders@pod-7\"");
            });
            assertThat(application.send(PAGE + "api/lock?name=order%3A7", GET).body())
                    .contains("\"votes\":[", "\"name\":\"shop@")
                    .doesNotContain(lease.owner().token());
            assertThat(waiter.cancel(true)).isTrue();
        }
    }

    @ParameterizedTest
    @MethodSource("stacks")
    void overview_sameVersion_isNotModified(String stack) throws Exception {
        try (TestApplication application = start(stack, EXPOSED)) {
            Eventually.eventually("a version does not change", () -> {
                String tag = header(application.send(PAGE + "api/overview", GET), "ETag");
                HttpResponse<String> answer = application.send(
                        PAGE + "api/overview",
                        request -> request.header("If-None-Match", tag).GET());
                return answer.statusCode() == 304
                        && answer.body().isEmpty()
                        && header(answer, "ETag").equals(tag);
            });
        }
    }

    @ParameterizedTest
    @MethodSource("stacks")
    void close_afterARequest_endsTheReader(String stack) throws Exception {
        try (TestApplication application = start(stack, EXPOSED)) {
            assertThat(application.send(PAGE + "api/overview", GET).statusCode())
                    .isEqualTo(200);
            assertThat(threads()).isNotEmpty();
            assertThat(scans()).isPositive();
        }

        assertThat(threads()).isEmpty();
    }

    @ParameterizedTest
    @CsvSource({
        "servlet, a=b",
        "servlet, management.endpoint.holdfast-console.access=none",
        "reactive, a=b",
        "reactive, management.endpoint.holdfast-console.access=none",
    })
    void page_notExposedOrWithoutAccess_isNotFound(String stack, String property) throws Exception {
        try (TestApplication application =
                start(stack, property.startsWith("a=") ? "management.server.port=" : EXPOSED, property)) {
            assertThat(application.send(PAGE, GET).statusCode()).isEqualTo(404);
            assertThat(application.send(PAGE + "api/overview", GET).statusCode())
                    .isEqualTo(404);
            assertThat(threads()).isEmpty();
        }
    }

    @ParameterizedTest
    @MethodSource("stacks")
    void page_portAndPathsOfTheManagement_isThereOnly(String stack) throws Exception {
        try (TestApplication application = start(
                stack,
                EXPOSED,
                "management.server.port=0",
                "management.server.base-path=/internal",
                "management.endpoints.web.base-path=/manage",
                "management.endpoints.web.path-mapping.holdfast-console=locks")) {
            String page = "/internal/manage/locks";

            assertThat(header(application.send(page, GET), "Location")).isEqualTo("locks/");
            assertThat(application.send(page + "/", GET).body()).contains("main.js");
            assertThat(application.send(page + "/api/overview", GET).body()).contains("\"version\":");
            HttpRequest ofApplication = HttpRequest.newBuilder(application.uri("server", "/manage/locks/"))
                    .build();
            assertThat(application.send(ofApplication).statusCode()).isEqualTo(404);
        }
        assertThat(threads()).isEmpty();
    }

    private static UnaryOperator<HttpRequest.Builder> post(String holder, String... headers) {
        String body =
                "{\"name\":\"order:7\",\"confirm\":\"order:7\",\"reason\":\"stuck\",\"holder\":\"" + holder + "\"}";
        return request -> request.headers(headers).POST(BodyPublishers.ofString(body));
    }

    private static String holder(TestApplication application) throws Exception {
        Matcher holder = Pattern.compile("\"holder\":\"([^\"]+)\"")
                .matcher(application.send(PAGE + "api/lock?name=order%3A7", GET).body());
        assertThat(holder.find()).isTrue();
        return holder.group(1);
    }

    @ParameterizedTest
    @CsvSource({
        "servlet, management.endpoint.holdfast-console.access=read-only, " + ALLOWED,
        "servlet, " + UNRESTRICTED + ", a=b",
        "reactive, management.endpoint.holdfast-console.access=read-only, " + ALLOWED,
        "reactive, " + UNRESTRICTED + ", a=b",
    })
    void breakLock_onlyOneOfBothProperties_isForbidden(String stack, String access, String allow) throws Exception {
        try (TestApplication application = start(stack, EXPOSED, access, allow);
                Lease lease =
                        application.bean(LockFactory.class).lock("order:7").acquire()) {
            HttpResponse<String> answer = application.send(
                    PAGE + "api/break",
                    post(holder(application), "X-Holdfast-Console", "1", "Content-Type", "application/json"));

            assertThat(answer.statusCode()).isEqualTo(403);
            assertThat(answer.body()).contains("Switched off");
            requireProtected(answer);
            assertThat(application.send(PAGE + "api/overview", GET).body()).contains("\"mayBreak\":false");
            assertThat(lease.isValid()).isTrue();
            assertThat(servers.get(0).exec("EXISTS", "order:7")).isEqualTo(1L);
        }
    }

    @ParameterizedTest
    @MethodSource("stacks")
    void breakLock_bothProperties_isForThisPageOnly(String stack) throws Exception {
        try (TestApplication application = start(
                        stack, EXPOSED, UNRESTRICTED, ALLOWED, "management.endpoints.web.cors.allowed-origins=*");
                Lease lease =
                        application.bean(LockFactory.class).lock("order:7").acquire()) {
            String holder = holder(application);
            String type = "Content-Type";
            String json = "application/json";
            String mark = "X-Holdfast-Console";
            List<HttpResponse<String>> refused = List.of(
                    application.send(PAGE + "api/break", post(holder, type, json)),
                    application.send(PAGE + "api/break", post(holder, type, "text/plain", mark, "1")),
                    application.send(
                            PAGE + "api/break", post(holder, type, json, mark, "1", "Sec-Fetch-Site", "cross-site")),
                    application.send(
                            PAGE + "api/break", post(holder, type, json, mark, "1", "Origin", "http://a.example")));
            HttpResponse<String> preflight = application.send(
                    PAGE + "api/break",
                    request -> request.headers("Origin", "http://a.example", "Access-Control-Request-Method", "POST")
                            .method("OPTIONS", BodyPublishers.noBody()));

            assertThat(lease.resource()).isEqualTo("order:7");
            assertThat(refused).extracting(HttpResponse::statusCode).containsOnly(403);
            assertThat(Stream.concat(refused.stream(), Stream.of(preflight)))
                    .allMatch(answer ->
                            header(answer, "Access-Control-Allow-Origin").isEmpty());
            assertThat(servers.get(0).exec("EXISTS", "order:7")).isEqualTo(1L);
            assertThat(application
                            .send(PAGE + "api/break", post("x".repeat(20_000), type, json, mark, "1"))
                            .statusCode())
                    .isEqualTo(413);

            String origin = application.uri("management", "").toString();
            HttpResponse<String> broken =
                    application.send(PAGE + "api/break", post(holder, type, json, mark, "1", "Origin", origin));
            assertThat(broken.statusCode()).as(broken.body()).isEqualTo(200);
            assertThat(servers.get(0).exec("EXISTS", "order:7")).isEqualTo(0L);
        }
    }
}
