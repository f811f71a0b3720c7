package io.holdfast.console;

import static org.assertj.core.api.Assertions.assertThat;

import io.holdfast.Holdfast;
import io.holdfast.HoldfastOptions;
import io.holdfast.servers.Eventually;
import io.holdfast.servers.RedisServer;
import io.holdfast.servers.RedisServers;
import io.holdfast.time.ThreadWait;
import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.lang.management.ThreadMXBean;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.time.Duration;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledIfSystemProperty;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/**
 * The processor time that a console costs a server, as the server itself reports it, and that its own threads use.
 * Prints a line for each number of locks and viewers.
 */
@Tag("evidence")
@EnabledIfSystemProperty(named = "holdfast.measure", matches = "true", disabledReason = "needs a quiet machine")
class ConsoleCostTest {

    private static final List<Integer> LOCKS = List.of(0, 10, 1_000, 10_000);
    private static final List<Integer> VIEWERS = List.of(0, 1, 50);
    private static final Duration TIME = Duration.ofSeconds(20);
    private static final Duration LIMIT = Duration.ofMinutes(5);

    /** The part of a core that the viewers of so many locks may cost a server. */
    private static final double MOST = 0.01;

    private static final int MOST_LOCKS = 1_000;
    private static final int MOST_SHOWN = 5_000;
    private static final double NANOS = 1e9;
    private static final HoldfastOptions OPTIONS =
            HoldfastOptions.builder().name("orders@pod-7").build();
    private static final Pattern USED = Pattern.compile("used_cpu_(?:sys|user):([\\d.]+)");
    private static final ThreadMXBean THREADS = ManagementFactory.getThreadMXBean();

    @AutoClose
    private final RedisServers servers = RedisServers.start(3);

    @AutoClose
    private final Holdfast client = Holdfast.connect(servers.addresses(), OPTIONS);

    @AutoClose
    private final Holdfast waiting = Holdfast.connect(servers.addresses(), OPTIONS);

    @AutoClose
    private final Holdfast own = Holdfast.connect(servers.addresses());

    @AutoClose
    private final Console console = Console.of(own, ConsoleOptions.readOnly("test"), Duration.ofMillis(200));

    private int held;

    /** Processor time of a server and of the console, in seconds or as a part of a core. */
    private record Cost(double server, double console) {

        Cost since(Cost before, double seconds) {
            return new Cost((server - before.server) / seconds, (console - before.console) / seconds);
        }
    }

    private Cost used() {
        Matcher used = USED.matcher(String.valueOf(servers.get(0).exec("INFO", "cpu")));
        double server = used.results()
                .mapToDouble(seconds -> Double.parseDouble(seconds.group(1)))
                .sum();
        long nanos = Thread.getAllStackTraces().keySet().stream()
                .filter(thread -> thread.getName().startsWith("holdfast-console"))
                .mapToLong(thread -> Math.max(0, THREADS.getThreadCpuTime(thread.getId())))
                .sum();
        return new Cost(server, nanos / NANOS);
    }

    private Cost measured() throws InterruptedException {
        Cost before = used();
        long begun = System.nanoTime();
        ThreadWait.park(new CompletableFuture<>(), TIME);
        return used().since(before, (System.nanoTime() - begun) / NANOS);
    }

    private Cost cost(String what, int viewers, boolean awaitsAll) throws Exception {
        if (viewers == 0) {
            return printed(what, viewers, measured());
        }
        try (ConsoleServer server = ConsoleServer.start(
                console, new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), Optional.empty(), "test")) {
            Browser browser = new Browser(server.uri());
            List<List<String>> streams =
                    IntStream.range(0, viewers).mapToObj(i -> browser.events()).toList();
            streams.forEach(events -> Eventually.within(LIMIT, "an overview", () -> !events.isEmpty()));
            if (awaitsAll) {
                Eventually.within(LIMIT, "all locks", () -> known(browser) >= Math.min(held, MOST_SHOWN));
            }
            return printed(what, viewers, measured());
        }
    }

    private static int known(Browser browser) {
        try {
            JsonNode overview =
                    new JsonMapper().readTree(browser.get("api/overview").body());
            return overview.get("locks").size();
        } catch (IOException | InterruptedException e) {
            throw new AssertionError(e);
        }
    }

    private static Cost printed(String what, int viewers, Cost cost) {
        System.out.printf(
                Locale.ROOT,
                "%s, %d viewers: server %.2f %% of a core, console %.2f %%%n",
                what,
                viewers,
                100 * cost.server,
                100 * cost.console);
        return cost;
    }

    private void hold(int locks) throws InterruptedException {
        for (; held < locks; held++) {
            client.lock("order:" + held).acquire();
        }
    }

    @Test
    void viewers_ofLocks_costLittle() throws Exception {
        client.admin().admit();
        for (int locks : LOCKS) {
            hold(locks);
            double idle = 0;
            for (int viewers : VIEWERS) {
                double server = cost(locks + " locks", viewers, true).server;
                if (viewers == 0) {
                    idle = server;
                } else if (locks <= MOST_LOCKS) {
                    assertThat(server - idle).isLessThan(MOST);
                }
            }
        }
    }

    @Test
    void viewers_ofQueues_costLittle() throws Exception {
        client.admin().admit();
        hold(MOST_LOCKS);
        for (int i = 0; i < 100; i++) {
            waiting.lock("order:" + i).acquireAsync();
        }

        double idle = cost("1000 locks, 100 waiters", 0, true).server;
        assertThat(cost("1000 locks, 100 waiters", 50, true).server - idle).isLessThan(MOST);
    }

    /** The names are read for long, so this measures the time in which that goes on. */
    @Test
    void viewers_tenMillionForeignKeys_costLittle() throws Exception {
        client.admin().admit();
        RedisServer full = servers.get(0);
        for (int part = 0; part < 100; part++) {
            full.exec(
                    "EVAL",
                    "for i = 1, 100000 do redis.call('SET', 'session:' .. ARGV[1] .. ':' .. i .. ':user', i) end",
                    "0",
                    Integer.toString(part));
        }
        hold(MOST_LOCKS);

        double idle = cost("1000 locks, ten million other keys", 0, false).server;
        assertThat(cost("1000 locks, ten million other keys", 50, false).server - idle)
                .isLessThan(MOST);
    }
}
