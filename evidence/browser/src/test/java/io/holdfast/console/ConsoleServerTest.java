package io.holdfast.console;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.networknt.schema.InputFormat;
import com.networknt.schema.SchemaRegistry;
import com.networknt.schema.SpecificationVersion;
import io.holdfast.Holdfast;
import io.holdfast.HoldfastOptions;
import io.holdfast.Lease;
import io.holdfast.LockOptions;
import io.holdfast.jobs.Job;
import io.holdfast.jobs.JobPeriod;
import io.holdfast.node.ResourceName;
import io.holdfast.servers.Eventually;
import io.holdfast.servers.RedisServer;
import io.holdfast.servers.RedisServers;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;
import tools.jackson.databind.node.ObjectNode;

/** A console of three servers, as its viewers see it. */
@Tag("server")
class ConsoleServerTest {

    /** The time between two readings of the locks, each of which reads all names at most once. */
    private static final Duration READING = Duration.ofMillis(500);

    /** Ends a test that reads from a connection for ever. */
    private static final Duration LIMIT = Duration.ofMinutes(2);

    private static final HoldfastOptions OPTIONS =
            HoldfastOptions.builder().name("orders@pod-7").build();
    /** A lease whose end or extension a test awaits. */
    private static final LockOptions BRIEF =
            LockOptions.builder().lease(Duration.ofSeconds(6)).build();

    private static final JsonMapper JSON = new JsonMapper();
    private static final String THREADS = "holdfast-console";

    /** Names that would do harm in a page, a log or a terminal, if they were not text there. */
    private static final List<String> HOSTILE = List.of(
            "<script>alert(1)</script>",
            "a\"b'c\\d",
            "\u001b[2Jline\u0085",
            "event: x\ndata: y",
            "\u202egnp.exe",
            "x".repeat(512),
            "{order}",
            "../../etc/passwd");

    @AutoClose
    private final RedisServers servers = RedisServers.start(3);

    @AutoClose
    private final Holdfast client = Holdfast.connect(servers.addresses(), OPTIONS);

    @AutoClose
    private final Holdfast own = Holdfast.connect(servers.addresses(), OPTIONS);

    private final List<String> log = new CopyOnWriteArrayList<>();

    @AutoClose
    private final Console console = Console.of(
            own, ConsoleOptions.readOnly("test").allowing(true, true).logTo(log::add), Duration.ofMillis(200));

    @AutoClose
    private final ConsoleServer server = start(Optional.empty());

    private final Browser browser = new Browser(server.uri());

    @BeforeEach
    void admitServers() {
        client.admin().admit();
    }

    private ConsoleServer start(Optional<String> token) {
        try {
            return ConsoleServer.start(
                    console, new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), token, "root@web3");
        } catch (IOException e) {
            throw new AssertionError(e);
        }
    }

    private static long calls(RedisServer server, String command) {
        Matcher stat = Pattern.compile("cmdstat_" + command + ":calls=(\\d+)")
                .matcher(String.valueOf(server.exec("INFO", "commandstats")));
        return stat.find() ? Long.parseLong(stat.group(1)) : 0;
    }

    private long scans() {
        return calls(servers.get(0), "scan");
    }

    private static boolean contains(List<String> lines, String... parts) {
        return lines.stream().anyMatch(line -> Stream.of(parts).allMatch(line::contains));
    }

    private JsonNode overview() throws Exception {
        return JSON.readTree(browser.get("api/overview").body());
    }

    private static List<String> names(JsonNode overview) {
        return overview.get("locks")
                .valueStream()
                .map(row -> row.get("name").asString())
                .toList();
    }

    private String holder(String name) throws Exception {
        return JSON.readTree(browser.lock(name).body()).get("holder").asString();
    }

    @Test
    void events_lockIsAcquiredAndReleased_areSentSoon() throws Exception {
        List<String> events = browser.events();
        Eventually.eventually("the first event", () -> contains(events, "event: overview"));

        Lease lease = client.lock("order:1").acquire();
        Eventually.eventually("the holder", () -> contains(events, "\"name\":\"order:1\",\"state\":\"held\""));
        Eventually.eventually("its name", () -> contains(events, "order:1", "orders@pod-7"));

        lease.close();
        Eventually.eventually("the end", () -> contains(events, "\"removed\":[\"order:1\"]"));
    }

    @Test
    void events_holderVanishes_isTakenOver() throws Exception {
        List<String> events = browser.events();
        Lease lease = client.lock("order:1", BRIEF).acquire();
        Eventually.eventually("the holder", () -> contains(events, "order:1", "orders@pod-7"));
        lease.detach();

        try (Holdfast second = Holdfast.connect(
                        servers.addresses(),
                        HoldfastOptions.builder().name("orders@pod-8").build());
                Lease next = second.lock("order:1").acquire()) {
            assertThat(next.isValid()).isTrue();
            Eventually.eventually(
                    "the loss", () -> contains(events, "\"end\":\"taken over\"", "\"name\":\"orders@pod-7\""));
            Eventually.eventually("the next holder", () -> contains(events, "clients\":[{", "orders@pod-8"));
        }
    }

    @Test
    void events_manyViewers_areServedByOneReader() throws Exception {
        List<List<String>> viewers =
                IntStream.range(0, 20).mapToObj(i -> browser.events()).toList();
        viewers.forEach(events -> Eventually.eventually("an overview", () -> contains(events, "event: overview")));
        long before = scans();
        long begun = System.nanoTime();
        client.lock("order:1").acquire();

        viewers.forEach(events -> Eventually.eventually("the lock", () -> contains(events, "order:1")));
        // At most one reading more than intervals have passed, however slow the machine is.
        assertThat(scans() - before)
                .isLessThanOrEqualTo(
                        2 + Duration.ofNanos(System.nanoTime() - begun).dividedBy(READING));
        assertThat(Thread.getAllStackTraces().keySet().stream()
                        .filter(thread -> thread.getName().equals(THREADS + "-locks")))
                .hasSize(1);
    }

    @Test
    void console_nobodyLooks_sendsNothing() throws Exception {
        overview();
        assertThat(scans()).isPositive();
        Eventually.eventually(
                "the end of the reader",
                () -> consoleThreads()
                        .noneMatch(thread -> thread.getName().endsWith("-locks")
                                || thread.getName().endsWith("-jobs")));

        long scans = scans();
        client.lock("order:1").acquire();

        assertThat(scans()).isEqualTo(scans);
        assertThat(names(overview())).contains("order:1");
    }

    private static Stream<Thread> consoleThreads() {
        return Thread.getAllStackTraces().keySet().stream()
                .filter(thread -> thread.getName().startsWith(THREADS));
    }

    @Test
    void overview_nothingHasChanged_isNotModified() throws Exception {
        String tag = browser.get("api/overview").headers().firstValue("ETag").orElseThrow();

        Eventually.eventually("the same version", () -> {
            HttpResponse<String> answer =
                    browser.send(browser.request("api/overview").header("If-None-Match", tag));
            return answer.statusCode() == 304
                    || !answer.headers().firstValue("ETag").orElseThrow().equals(tag);
        });
    }

    @Test
    void answers_ofAllKinds_matchTheDescription() throws Exception {
        client.lock("order:1").acquire();
        client.lock("price").shared().acquire();
        own.lock("order:1").acquireAsync();
        Job.of(client, "report").oncePer(JobPeriod.parse("1h")).run(run -> {});
        assertThatThrownBy(() -> Job.of(client, "broken").run(run -> {
                    throw new IllegalStateException("planned");
                }))
                .hasMessage("planned");
        servers.get(2).restartEmpty();
        List<String> events = browser.events();
        Eventually.eventually("a job", () -> overview().get("jobs").size() == 2);
        client.lock("order:2").acquire();
        Eventually.eventually("a change", () -> contains(events, "\"name\":\"order:2\""));

        assertThat(errors("Overview", browser.get("api/overview").body())).isEmpty();
        assertThat(errors("LockDetail", browser.lock("order:1").body())).isEmpty();
        assertThat(errors("LockDetail", browser.lock("free").body())).isEmpty();
        assertThat(errors("Problem", browser.get("api/none").body())).isEmpty();
        assertThat(errors("Overview", "{}")).isNotEmpty();
        for (int i = 0; i + 1 < events.size(); i++) {
            if (events.get(i).startsWith("event: change")) {
                assertThat(errors("Change", events.get(i + 1).substring("data: ".length())))
                        .isEmpty();
            }
        }
    }

    /** Returns what an answer has against the schema of this name. */
    private List<String> errors(String schema, String answer) throws Exception {
        ObjectNode root = JSON.createObjectNode();
        root.put("$ref", "#/components/schemas/" + schema);
        root.set(
                "components",
                JSON.readTree(browser.get("api/openapi.json").body()).get("components"));
        return SchemaRegistry.withDefaultDialect(SpecificationVersion.DRAFT_2020_12)
                .getSchema(root.toString(), InputFormat.JSON)
                .validate(answer, InputFormat.JSON)
                .stream()
                .map(Object::toString)
                .toList();
    }

    @Test
    void answers_inAWholeSession_containNoOwner() throws Exception {
        List<String> owners = new ArrayList<>();
        List<String> events = browser.events();
        for (String name : List.of("order:1", "order:2")) {
            Lease lease = client.lock(name).acquire();
            lease.annotate("busy");
            owners.add(lease.owner().token());
        }
        owners.add(client.lock("price").shared().acquire().owner().token());
        Eventually.eventually(
                "the locks",
                () -> contains(events, "price") && names(overview()).contains("order:2"));
        browser.lock("order:1");
        browser.lock("price");
        browser.send(browser.post(
                "api/break", "name", "order:1", "confirm", "order:1", "holder", holder("order:1"), "reason", "test"));
        Eventually.eventually("the end", () -> contains(events, "broken"));

        assertThat(owners).hasSize(3);
        for (String owner : owners) {
            String secret = owner.substring(0, owner.indexOf('.'));
            assertThat(secret).hasSizeGreaterThan(25);
            assertThat(browser.received())
                    .noneMatch(text -> text.contains(secret.substring(0, secret.length() / 2))
                            || text.contains(secret.substring(secret.length() / 2)));
        }
        assertThat(log.toString()).doesNotContain(owners);
    }

    @Test
    void answers_hostileNames_areText() throws Exception {
        List<String> events = browser.events();
        for (String name : HOSTILE) {
            client.lock(name).acquire();
        }
        String tooLong = "<b>".repeat(4_000);
        client.lock(tooLong).acquire();

        Eventually.eventually("all names", () -> {
            List<String> names = names(overview());
            return names.containsAll(HOSTILE) && names.contains(ResourceName.key(tooLong));
        });
        assertThat(JSON.readTree(browser.lock(tooLong).body()).get("name").asString())
                .isEqualTo(ResourceName.key(tooLong));
        for (String name : HOSTILE) {
            JsonNode detail = JSON.readTree(browser.lock(name).body());
            assertThat(detail.get("name").asString()).isEqualTo(name);
        }
        Eventually.eventually("events", () -> contains(events, "../../etc/passwd"));
        assertThat(events)
                .allMatch(line -> line.isEmpty()
                        || line.matches("event: (overview|change|alive)")
                        || line.matches("data: \\{[ -~]*}"));
        assertThat(browser.lock("").statusCode()).isEqualTo(400);
        assertThat(browser.get("api/lock?name=%ED%A0%80").statusCode()).isIn(200, 400);
        assertThat(browser.get("api/lock").statusCode()).isEqualTo(400);
        assertThat(statusLine("localhost", "api/lock?name=%25ff%")).contains(" 400 ");
    }

    /** The holder learns of it at its next extension. */
    @Test
    void breakLock_allFields_breaksAndIsRecorded() throws Exception {
        Lease lease = client.lock("order:1", BRIEF).acquire();

        HttpResponse<String> answer = browser.send(browser.post(
                "api/break",
                "name",
                "order:1",
                "confirm",
                "order:1",
                "holder",
                holder("order:1"),
                "reason",
                "stuck\nsince noon"));

        assertThat(answer.statusCode()).isEqualTo(200);
        assertThat(errors("Done", answer.body())).isEmpty();
        Eventually.result(lease.lossFuture());
        assertThat(log).hasSize(1);
        assertThat(log.get(0))
                .startsWith("Lock 'order:1' was taken from its holder ")
                .endsWith("by root@web3 (127.0.0.1) in the console: stuck since noon");
        assertThat(client.admin().status("order:1").nodes().get(0).toString())
                .contains("in the console: stuck since noon");
    }

    @Test
    void breakLock_incompleteRequests_areRejected() throws Exception {
        client.lock("order:1").acquire();
        String holder = holder("order:1");

        assertThat(status("name", "order:1", "confirm", "order:2", "holder", holder, "reason", "x"))
                .isEqualTo(400);
        assertThat(status("name", "order:1", "confirm", "order:1", "holder", holder, "reason", " "))
                .isEqualTo(400);
        assertThat(status("name", "order:1", "confirm", "order:1", "reason", "x"))
                .isEqualTo(400);
        assertThat(status("name", "order:1", "confirm", "order:1", "holder", "other", "reason", "x"))
                .isEqualTo(409);
        assertThat(status("name", "order:1", "confirm", "order:1", "holder", holder, "reason", "x".repeat(20_000)))
                .isEqualTo(413);
        assertThat(client.admin().status("order:1").held()).isPresent();
        assertThat(log).isEmpty();
    }

    /** All shared holds have the same mark. */
    @Test
    void breakLock_otherSharedHoldersMeanwhile_isRefused() throws Exception {
        Lease lease = client.lock("price").shared().acquire();
        String mark = holder("price");

        assertThat(breakPrice(mark)).isEqualTo(409);
        assertThat(breakPrice(mark, "clients", "another")).isEqualTo(409);
        assertThat(client.admin().status("price").held()).isPresent();
        assertThat(breakPrice(mark, "clients", "another " + lease.owner().client()))
                .isEqualTo(200);
    }

    private int breakPrice(String mark, Object... more) throws Exception {
        return status(Stream.concat(
                        Stream.of("name", "price", "confirm", "price", "holder", mark, "reason", "x"), Stream.of(more))
                .toArray());
    }

    private int status(Object... fields) throws Exception {
        return browser.send(browser.post("api/break", fields)).statusCode();
    }

    @Test
    void breakLock_fromAnotherSite_isRejected() throws Exception {
        client.lock("order:1").acquire();
        Object[] fields = {"name", "order:1", "confirm", "order:1", "holder", holder("order:1"), "reason", "x"};
        List<Map<String, String>> foreign = List.of(
                Map.of("Origin", "https://evil.example"),
                Map.of("Origin", "null"),
                Map.of("Sec-Fetch-Site", "cross-site"),
                Map.of("Sec-Fetch-Site", "same-site"),
                Map.of("Content-Type", "text/plain"),
                Map.of("X-Holdfast-Console", "0"));

        for (Map<String, String> headers : foreign) {
            var post = browser.post("api/break", fields);
            headers.forEach(post::setHeader);
            HttpResponse<String> answer = browser.send(post);
            assertThat(answer.statusCode()).as(headers.toString()).isEqualTo(403);
            assertThat(answer.headers().map().keySet()).noneMatch(name -> name.startsWith("access-control"));
        }
        assertThat(browser.send(browser.request("api/break").method("OPTIONS", BodyPublishers.noBody()))
                        .statusCode())
                .isEqualTo(405);
        assertThat(client.admin().status("order:1").held()).isPresent();
        String same = "http://127.0.0.1:" + server.uri().getPort();
        assertThat(browser.send(browser.post("api/break", fields).header("Origin", same))
                        .statusCode())
                .isEqualTo(200);
    }

    @Test
    void admit_newServers_areRecorded() throws Exception {
        assertThat(browser.send(browser.post("api/admit", "reason", "first start"))
                        .statusCode())
                .isEqualTo(200);
        assertThat(log).hasSize(1);
        assertThat(log.get(0)).contains("admitted by root@web3", "first start", "votes");
    }

    @Test
    void actions_readOnly_areForbidden() throws Exception {
        try (Console looking = Console.of(own, ConsoleOptions.readOnly("x"));
                ConsoleServer readOnly = ConsoleServer.start(
                        looking, new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), Optional.empty(), "x")) {
            Browser viewer = new Browser(readOnly.uri());
            for (String action : List.of("api/break", "api/admit", "api/demo")) {
                assertThat(viewer.send(viewer.post(action, "name", "x")).statusCode())
                        .isEqualTo(403);
            }
        }
    }

    @Test
    void host_notOfThisMachine_isRejected() throws Exception {
        assertThat(statusLine("evil.example:" + server.uri().getPort(), "api/overview"))
                .contains(" 403 ");
        assertThat(statusLine("localhost:" + server.uri().getPort(), "api/overview"))
                .contains(" 200 ");
    }

    private String statusLine(String host, String path) throws IOException {
        try (Socket socket =
                send(server, "GET /" + path + " HTTP/1.1\r\nHost: " + host + "\r\nConnection: close\r\n\r\n")) {
            return firstLine(socket);
        }
    }

    @Test
    void token_missingOrWrong_isRejected() throws Exception {
        String token = "0123456789abcdefghij";
        try (ConsoleServer guarded = start(Optional.of(token))) {
            Browser viewer = new Browser(guarded.uri());
            assertThat(viewer.get("api/overview").statusCode()).isEqualTo(401);
            assertThat(viewer.get("?token=0123456789abcdefghix").statusCode()).isEqualTo(401);
            assertThat(viewer.get("page.js").statusCode()).isEqualTo(401);
            assertThat(viewer.send(viewer.request("api/overview").header("Authorization", "Bearer x"))
                            .statusCode())
                    .isEqualTo(401);

            HttpResponse<String> opened =
                    viewer.send(viewer.request(guarded.uri().toString()));
            assertThat(opened.statusCode()).isEqualTo(303);
            assertThat(opened.headers().firstValue("Location")).contains("./");
            String cookie = opened.headers().firstValue("Set-Cookie").orElseThrow();
            assertThat(cookie).contains("; httponly; samesite=strict; path=/");
            assertThat(viewer.send(viewer.request("api/overview")
                                    .header("Cookie", "a=b; " + cookie.substring(0, cookie.indexOf(';'))))
                            .statusCode())
                    .isEqualTo(200);
            assertThat(viewer.send(viewer.request("api/overview").header("Authorization", "Bearer " + token))
                            .statusCode())
                    .isEqualTo(200);
        }
    }

    @Test
    void token_allCharacters_areInThePrintedAddress() throws Exception {
        try (ConsoleServer guarded = start(Optional.of("0123456789+/=.~_-"))) {
            Browser viewer = new Browser(guarded.uri());

            assertThat(viewer.send(viewer.request(guarded.uri().toString())).statusCode())
                    .isEqualTo(303);
        }
    }

    @Test
    void host_ownAddress_isServed() throws Exception {
        InetSocketAddress address = new InetSocketAddress(InetAddress.getByName("127.0.0.2"), 0);
        try (ConsoleServer second = ConsoleServer.start(console, address, Optional.empty(), "x")) {
            assertThat(new Browser(second.uri()).get("api/overview").statusCode())
                    .isEqualTo(200);
        }
    }

    @Test
    void host_anyName_isServedWithTheToken() throws Exception {
        String token = "0123456789abcdefghij";
        try (ConsoleServer guarded = start(Optional.of(token));
                Socket socket = send(
                        guarded,
                        "GET /api/overview HTTP/1.1\r\nHost: locks.example\r\nAuthorization: Bearer " + token
                                + "\r\n\r\n")) {
            assertThat(firstLine(socket)).contains(" 200 ");
        }
    }

    @Test
    void requests_neverComplete_otherIsServed() throws Exception {
        List<Socket> incomplete = new ArrayList<>();
        try {
            for (int i = 0; i < 200; i++) {
                incomplete.add(send(server, "GET / HTTP/1.1\r\n"));
            }
            Eventually.eventually(
                    "a request on each thread",
                    () -> consoleThreads()
                                    .filter(thread -> thread.getName().endsWith("-http"))
                                    .count()
                            >= Console.MOST_VIEWERS);

            try (Socket socket = send(server, "GET / HTTP/1.1\r\nHost: localhost\r\n\r\n")) {
                socket.setSoTimeout((int) LIMIT.toMillis());
                assertThat(firstLine(socket)).contains(" 200 ");
            }
        } finally {
            for (Socket socket : incomplete) {
                socket.close();
            }
        }
    }

    @Test
    void token_missing_isRejectedBeforeTheBody() throws Exception {
        try (ConsoleServer guarded = start(Optional.of("0123456789abcdefghij"));
                Socket socket =
                        send(guarded, "POST /api/break HTTP/1.1\r\nHost: localhost\r\nContent-Length: 9000\r\n\r\n")) {
            socket.setSoTimeout((int) LIMIT.toMillis());
            assertThat(firstLine(socket)).contains(" 401 ");
        }
    }

    /** The first event is larger than the buffers of a connection. */
    @Test
    void events_onlyViewerReadsNothing_isDropped() throws Exception {
        ConsoleOptions large = ConsoleOptions.readOnly("x".repeat(20_000_000));
        InetSocketAddress address = new InetSocketAddress(InetAddress.getLoopbackAddress(), 0);
        try (Console shown = Console.of(own, large, Duration.ofMillis(200));
                ConsoleServer impatient =
                        ConsoleServer.start(shown, address, Optional.empty(), "x", Duration.ofSeconds(1));
                Socket viewer = send(impatient, "GET /api/events HTTP/1.1\r\nHost: localhost\r\n\r\n")) {
            assertThat(firstLine(viewer)).contains(" 200 ");
            Eventually.eventually("its end", () -> consoleThreads().noneMatch(ConsoleServerTest::isStream));
        }
    }

    private static boolean isStream(Thread thread) {
        return Stream.of(thread.getStackTrace())
                .anyMatch(frame -> frame.getMethodName().equals("stream"));
    }

    private static Socket send(ConsoleServer server, String request) throws IOException {
        Socket socket = new Socket(server.uri().getHost(), server.uri().getPort());
        socket.getOutputStream().write(request.getBytes(StandardCharsets.US_ASCII));
        return socket;
    }

    private static String firstLine(Socket socket) throws IOException {
        return new BufferedReader(new InputStreamReader(socket.getInputStream(), StandardCharsets.US_ASCII)).readLine();
    }

    @Test
    void answers_ofAllKinds_haveThePolicy() throws Exception {
        for (String path : List.of("", "api/overview", "api/none", "lib/preact.js", "api/openapi.json")) {
            assertThat(browser.get(path).headers().map())
                    .containsEntry("x-content-type-options", List.of("nosniff"))
                    .containsEntry("referrer-policy", List.of("no-referrer"))
                    .hasEntrySatisfying(
                            "content-security-policy",
                            policy -> assertThat(policy.get(0)).startsWith("default-src 'none'; script-src 'self';"));
        }
    }

    /** A viewer who reads nothing fills the buffers of its connection, while 30 others read. */
    @Test
    void events_oneViewerReadsNothing_othersReceiveAll() throws Exception {
        for (int i = 0; i < 1_000; i++) {
            client.lock("order:" + i + "x".repeat(450)).acquire();
        }
        try (Socket slow = send(server, "GET /api/events HTTP/1.1\r\nHost: localhost\r\n\r\n")) {
            List<List<String>> viewers =
                    IntStream.range(0, 30).mapToObj(i -> browser.events()).toList();
            viewers.forEach(events -> Eventually.eventually("an overview", () -> contains(events, "order:999")));
            client.lock("later").acquire();
            viewers.forEach(events -> Eventually.eventually("the lock", () -> contains(events, "\"later\"")));
            assertThat(slow.getInputStream().read()).isPositive();
        }
    }

    @Test
    void events_tooManyViewers_areRefused() throws Exception {
        List<Socket> viewers = new ArrayList<>();
        try {
            for (int i = 0; i < Console.MOST_VIEWERS; i++) {
                Socket viewer = send(server, "GET /api/events HTTP/1.1\r\nHost: localhost\r\n\r\n");
                viewers.add(viewer);
                assertThat(viewer.getInputStream().read()).isPositive();
            }
            assertThat(browser.get("api/events").statusCode()).isEqualTo(503);
            assertThat(browser.get("api/overview").statusCode()).isEqualTo(200);
        } finally {
            for (Socket viewer : viewers) {
                viewer.close();
            }
        }
        Eventually.eventually(
                "a free place", () -> statusLine("localhost", "api/events").contains(" 200 "));
    }

    @Test
    void events_nodeIsSilent_goOn() throws Exception {
        List<String> events = browser.events();
        Eventually.eventually("an overview", () -> contains(events, "event: overview"));
        servers.get(2).freeze();
        try {
            Eventually.eventually("the node", () -> contains(events, "\"state\":\"unreachable\""));
            for (int i = 0; i < 5; i++) {
                String name = "order:" + i;
                client.lock(name).acquire();
                Eventually.eventually("the lock", () -> contains(events, "\"" + name + "\""));
            }
        } finally {
            servers.get(2).thaw();
        }
    }

    @Test
    void close_openStreams_leavesNoThreadAndNoSocket() throws Exception {
        List<String> events = browser.events();
        Eventually.eventually("an overview", () -> contains(events, "event: overview"));
        int port = server.uri().getPort();

        server.close();
        console.close();

        assertThat(consoleThreads()).isEmpty();
        Eventually.eventually("no server", () -> {
            try (Socket socket = new Socket(InetAddress.getLoopbackAddress(), port)) {
                return socket.isClosed();
            } catch (IOException refused) {
                return true;
            }
        });
    }
}
