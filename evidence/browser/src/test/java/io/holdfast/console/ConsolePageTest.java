package io.holdfast.console;

import static org.assertj.core.api.Assertions.assertThat;

import io.holdfast.Holdfast;
import io.holdfast.HoldfastOptions;
import io.holdfast.Lease;
import io.holdfast.LockOptions;
import io.holdfast.console.browser.BrowserExtension;
import io.holdfast.console.browser.Tab;
import io.holdfast.servers.RedisServers;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArrayList;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/** The page of a console of three servers, in a real browser. */
@Tag("server")
@Tag("process")
@Tag("evidence")
@ExtendWith(BrowserExtension.class)
class ConsolePageTest {

    private static final String HOSTILE = "<img src=x onerror=window.ran=1>\u202e\n";

    @AutoClose
    private final RedisServers servers = RedisServers.start(3);

    @AutoClose
    private final Holdfast first = connect("orders@pod-7");

    @AutoClose
    private final Holdfast second = connect("orders@pod-8");

    private final List<String> log = new CopyOnWriteArrayList<>();

    private Holdfast connect(String name) {
        return Holdfast.connect(
                servers.addresses(), HoldfastOptions.builder().name(name).build());
    }

    @BeforeEach
    void admitServers() {
        first.admin().admit();
    }

    private ConsoleServer start(Console console) throws Exception {
        return ConsoleServer.start(
                console, new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), Optional.empty(), "root@web3");
    }

    private Console console() {
        return Console.of(
                second, ConsoleOptions.readOnly("test").allowing(true, true).logTo(log::add), Duration.ofMillis(200));
    }

    @Test
    void holderVanishes_rowIsRedAndTheNextOneAppears(io.holdfast.console.browser.Browser browser) throws Exception {
        LockOptions brief = LockOptions.builder().lease(Duration.ofSeconds(8)).build();
        try (Console console = console();
                ConsoleServer server = start(console);
                Tab tab = browser.open(server.uri(), 1280, 800)) {
            Lease lease = first.lock("order:1", brief).acquire();
            tab.await("document.querySelector('tr[data-index] .holders')?.innerText.includes('orders@pod-7')");
            CompletableFuture<Lease> next = second.lock("order:1").acquireAsync();
            tab.await("document.querySelector('.chip')?.innerText.includes('orders@pod-8')");
            lease.detach();

            tab.await("document.querySelector('tr.red .gone')?.innerText.includes('orders@pod-7')");
            tab.await("document.querySelector('tr[data-index] .holders').innerText.includes('orders@pod-8')");
            next.join().close();
            assertThat(tab.complaints()).isEmpty();
        }
    }

    @Test
    void lock_hostileName_isShownAndBroken(io.holdfast.console.browser.Browser browser) throws Exception {
        try (Console console = console();
                ConsoleServer server = start(console);
                Tab tab = browser.open(server.uri(), 1280, 800)) {
            first.lock(HOSTILE).acquire();
            tab.await("document.querySelector('tr[data-index] a')");
            tab.evaluate("document.querySelector('tr[data-index] a').click()");
            tab.await("document.querySelector('.panel')?.innerText.includes('held by')");
            tab.evaluate("document.querySelector('button.danger').click()");
            tab.await("document.querySelector('dialog[open]')");
            tab.type("<img src=x onerror=window.ran=1>\\u202e\\n");
            tab.press("Tab");
            tab.type("pod-7 is gone");
            tab.press("Enter");

            tab.await("!document.querySelector('dialog')");
            tab.await("!document.querySelector('tr[data-index] .holders .client')");
            assertThat(log).anyMatch(line -> line.contains("pod-7 is gone"));
            assertThat(tab.text("window.ran")).isEqualTo("undefined");
            for (String view : List.of("nodes", "jobs", "waits")) {
                tab.evaluate("location.hash = '#/" + view + "'");
                tab.await("document.querySelector('#" + view + "-title')");
            }
            assertThat(tab.complaints()).isEmpty();
        }
    }
}
