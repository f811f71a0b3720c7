package io.holdfast.console.browser;

import static org.assertj.core.api.Assertions.assertThat;

import io.holdfast.Holdfast;
import io.holdfast.HoldfastOptions;
import io.holdfast.Lease;
import io.holdfast.LockOptions;
import io.holdfast.console.Console;
import io.holdfast.console.ConsoleOptions;
import io.holdfast.console.ConsoleServer;
import io.holdfast.servers.RedisServers;
import io.holdfast.time.ThreadWait;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.time.Duration;
import java.util.Arrays;
import java.util.Locale;
import java.util.Optional;
import java.util.Random;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledIfSystemProperty;
import org.junit.jupiter.api.extension.ExtendWith;

/** Measures how soon a change is on the page, and how the page scrolls, in a Chromium. */
@Tag("evidence")
@ExtendWith(BrowserExtension.class)
@EnabledIfSystemProperty(named = "holdfast.measure", matches = "true", disabledReason = "needs a quiet machine")
class PageSpeedTest {

    private static final int CHANGES = 50;
    private static final int LOSSES = 20;
    private static final int LOCKS = 1_000;
    private static final long MOST_MILLIS = 1_000;
    private static final int LONGEST_PAUSE_MILLIS = 1_000;

    private final Random random = new Random(7);

    @AutoClose
    private final RedisServers servers = RedisServers.start(3);

    @AutoClose
    private final Holdfast client = Holdfast.connect(
            servers.addresses(), HoldfastOptions.builder().name("orders@pod-7").build());

    @AutoClose
    private final Holdfast waiting = Holdfast.connect(
            servers.addresses(), HoldfastOptions.builder().name("orders@pod-8").build());

    @AutoClose
    private final Holdfast own = Holdfast.connect(servers.addresses());

    @AutoClose
    private final Console console = Console.of(own, ConsoleOptions.readOnly("test"));

    @AutoClose
    private final ConsoleServer server = start();

    private ConsoleServer start() {
        try {
            return ConsoleServer.start(
                    console, new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), Optional.empty(), "test");
        } catch (IOException e) {
            throw new AssertionError(e);
        }
    }

    @BeforeEach
    void admitServers() {
        client.admin().admit();
    }

    private Tab open(Browser browser) throws Exception {
        Tab tab = browser.open(server.uri().resolve("#/locks"), 1280, 800);
        tab.await("document.querySelector('.connection.good')");
        return tab;
    }

    /** Each time, the name is new to the console. The clock of the page is that of this process. */
    @Test
    void row_lockIsAcquired_appearsWithinASecond(Browser browser) throws Exception {
        long[] millis = new long[CHANGES];
        try (Tab tab = open(browser)) {
            for (int i = 0; i < CHANGES; i++) {
                ThreadWait.park(new CompletableFuture<>(), Duration.ofMillis(random.nextInt(LONGEST_PAUSE_MILLIS)));
                String name = "order:" + i;
                awaitRow(tab, name, "");
                long begun = System.currentTimeMillis();
                try (Lease lease = client.lock(name).acquire()) {
                    millis[i] = tab.evaluate("seen").asLong() - begun;
                    assertThat(lease.isValid()).isTrue();
                }
            }
        }
        print("new locks: on the page", millis);
    }

    /** The holder neither extends its lease nor releases the lock. Counts from the end of the lease. */
    @Test
    void row_holderVanishes_nextOneAppearsWithinASecond(Browser browser) throws Exception {
        LockOptions brief = LockOptions.builder().lease(Duration.ofSeconds(2)).build();
        long[] millis = new long[LOSSES];
        try (Tab tab = open(browser)) {
            for (int i = 0; i < LOSSES; i++) {
                String lock = "order:" + i;
                Lease lease = client.lock(lock, brief).acquire();
                CompletableFuture<Lease> next = waiting.lock(lock).acquireAsync();
                tab.await("document.querySelector('.chip')?.innerText.includes('orders@pod-8')");
                awaitRow(tab, lock, "orders@pod-8");
                long end = System.currentTimeMillis() + lease.remaining().toMillis();
                lease.detach();
                millis[i] = tab.evaluate("seen").asLong() - end;
                next.join().close();
            }
        }
        print("lost holders: the next one on the page", millis);
    }

    /** Lets the variable {@code seen} become the time at which the row of a lock names its holder. */
    private static void awaitRow(Tab tab, String lock, String holder) {
        tab.evaluate("seen = new Promise(done => new MutationObserver((changes, self) => {"
                + " if ([...document.querySelectorAll('tr[data-index]')].some(row => row.querySelector('a').textContent"
                + " === '" + lock + "' && row.querySelector('.holders').textContent.includes('" + holder
                + "'))) { self.disconnect(); done(Date.now()); }"
                + " }).observe(document.body, {childList: true, subtree: true, characterData: true})), 0");
    }

    private static void print(String what, long[] millis) {
        Arrays.sort(millis);
        System.out.printf(
                Locale.ROOT,
                "%d %s after %d ms in the median, %d ms at most%n",
                millis.length,
                what,
                millis[millis.length / 2],
                millis[millis.length - 1]);
        assertThat(millis[millis.length - 1]).isLessThan(MOST_MILLIS);
    }

    /** A quarter of a screen further with each frame, from the first row to the last one. */
    @Test
    void table_thousandLocks_scrollsWithoutAPause(Browser browser) throws Exception {
        for (int i = 0; i < LOCKS; i++) {
            client.lock("order:" + i).acquire();
        }
        try (Tab tab = open(browser)) {
            tab.await("document.querySelector('.rows')?.getAttribute('aria-rowcount') === '" + (LOCKS + 1) + "'");
            var frames = tab.evaluate("new Promise(done => {"
                    + " const list = document.querySelector('.scroll'); const frames = []; let last = 0;"
                    + " const step = now => {"
                    + "  if (last) frames.push(now - last); last = now;"
                    + "  if (list.scrollTop + list.clientHeight >= list.scrollHeight - 1) done(frames);"
                    + "  else { list.scrollTop += list.clientHeight / 4; requestAnimationFrame(step); } };"
                    + " requestAnimationFrame(step); })");
            double total = 0;
            double longest = 0;
            for (var frame : frames) {
                total += frame.asDouble();
                longest = Math.max(longest, frame.asDouble());
            }
            System.out.printf(
                    Locale.ROOT,
                    "%d rows: scrolled in %.0f ms, %d frames, the longest %.0f ms%n",
                    LOCKS,
                    total,
                    frames.size(),
                    longest);
            tab.await("document.querySelector('tr[data-index=\"" + (LOCKS - 1) + "\"]')");
        }
    }
}
