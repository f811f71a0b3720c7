package io.holdfast.console;

import static org.assertj.core.api.Assertions.assertThat;

import io.holdfast.Holdfast;
import io.holdfast.HoldfastOptions;
import io.holdfast.servers.Eventually;
import io.holdfast.servers.RedisServer;
import io.holdfast.servers.RedisServers;
import io.holdfast.time.ThreadWait;
import java.io.IOException;
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

/** The processor time that a console with many viewers costs a server, as the server itself reports it. */
@Tag("evidence")
@EnabledIfSystemProperty(named = "holdfast.measure", matches = "true", disabledReason = "needs a quiet machine")
class ConsoleCostTest {

    private static final int LOCKS = 1_000;
    private static final int VIEWERS = 50;
    private static final Duration TIME = Duration.ofSeconds(20);
    /** The names of a million keys are read for some minutes. */
    private static final Duration NAMES_LIMIT = Duration.ofMinutes(15);

    private static final double MOST = 0.01;
    private static final double NANOS = 1e9;
    private static final HoldfastOptions OPTIONS =
            HoldfastOptions.builder().name("orders@pod-7").build();
    private static final Pattern USED = Pattern.compile("used_cpu_(?:sys|user):([\\d.]+)");

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

    private static double used(RedisServer server) {
        Matcher used = USED.matcher(String.valueOf(server.exec("INFO", "cpu")));
        return used.results()
                .mapToDouble(seconds -> Double.parseDouble(seconds.group(1)))
                .sum();
    }

    /** Returns the part of a core that the first server used while the time passed. */
    private double share() throws InterruptedException {
        double before = used(servers.get(0));
        long begun = System.nanoTime();
        ThreadWait.park(new CompletableFuture<>(), TIME);
        return (used(servers.get(0)) - before) / ((System.nanoTime() - begun) / NANOS);
    }

    private double costOfViewers(int waiters) throws Exception {
        client.admin().admit();
        for (int i = 0; i < LOCKS; i++) {
            client.lock("order:" + i).acquire();
        }
        for (int i = 0; i < waiters; i++) {
            waiting.lock("order:" + i).acquireAsync();
        }
        double idle = share();
        try (ConsoleServer server = start()) {
            Browser browser = new Browser(server.uri());
            List<List<String>> viewers =
                    IntStream.range(0, VIEWERS).mapToObj(i -> browser.events()).toList();
            viewers.forEach(events -> Eventually.within(
                    NAMES_LIMIT, "all locks", () -> events.stream().anyMatch(line -> line.contains("order:999\""))));
            double watched = share();
            System.out.printf(
                    Locale.ROOT,
                    "%d locks, %d waiters, %d viewers: %.2f %% of a core idle, %.2f %% watched%n",
                    LOCKS,
                    waiters,
                    VIEWERS,
                    100 * idle,
                    100 * watched);
            return watched - idle;
        }
    }

    private ConsoleServer start() throws IOException {
        return ConsoleServer.start(
                console, new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), Optional.empty(), "test");
    }

    @Test
    void viewers_thousandLocks_costLittle() throws Exception {
        assertThat(costOfViewers(0)).isLessThan(MOST);
    }

    @Test
    void viewers_hundredQueues_costLittle() throws Exception {
        assertThat(costOfViewers(100)).isLessThan(MOST);
    }

    @Test
    void viewers_millionForeignKeys_costLittle() throws Exception {
        servers.forEach(server -> server.exec(
                "EVAL", "for i = 1, 1000000 do redis.call('SET', 'session:' .. i .. ':of:a:user', i) end", "0"));

        assertThat(costOfViewers(0)).isLessThan(MOST);
    }
}
