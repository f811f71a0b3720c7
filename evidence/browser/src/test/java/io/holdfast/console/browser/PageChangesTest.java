package io.holdfast.console.browser;

import static org.assertj.core.api.Assertions.assertThat;

import io.holdfast.console.PageServer;
import io.holdfast.console.Samples;
import io.holdfast.console.json.Json;
import java.net.URI;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/** The page shows each change, and marks what is old when the console is gone. */
@Tag("process")
@Tag("evidence")
@ExtendWith(BrowserExtension.class)
class PageChangesTest {

    private static final String ROW = "document.querySelector('tr[data-index=\"0\"]')";

    private static Map<String, Object> change(long time, Object... parts) {
        Map<String, Object> change = new LinkedHashMap<>(Json.fields(parts));
        change.put("version", 2);
        change.put("time", time);
        return change;
    }

    @Test
    void loss_killedHolder_turnsRedUntilTheNextOneIsOld(Browser browser) throws Exception {
        Map<String, Object> lock =
                Samples.lock("order:42", Samples.client("orders@pod-1", 1), Samples.client("orders@pod-2", 2));
        Map<String, Object> next = Samples.lock("order:42", Samples.client("orders@pod-2", 2));
        long at = Samples.NOW + 1000;
        next.put("lost", Json.fields("id", "k1", "name", "orders@pod-1", "at", at, "end", "taken over"));
        try (PageServer server = PageServer.start(Samples.overview(List.of(lock)));
                Tab tab = browser.open(server.address("#/locks"), 1280, 800)) {
            tab.await(ROW + " && !" + ROW + ".matches('.red')");

            server.send("change", change(at, "removed", List.of(), "locks", List.of(next)));
            tab.await(ROW + ".matches('.red')");
            assertThat(tab.text(ROW + ".querySelector('.gone').innerText")).contains("orders@pod-1", "lost");
            assertThat(tab.text(ROW + ".querySelector('.holders').innerText")).contains("orders@pod-2");
            tab.await("document.querySelector('#losses').innerText"
                    + " === 'orders@pod-1 lost the lock order:42; orders@pod-2 holds it now.'");

            server.send("alive", change(at + 10_000));
            tab.await("!" + ROW + ".matches('.red') && " + ROW + ".innerText.includes('orders@pod-2')");
            assertThat(tab.text(ROW + ".innerText")).doesNotContain("orders@pod-1");
            assertThat(tab.complaints()).isEmpty();
        }
    }

    @Test
    void change_removedLock_leavesTheList(Browser browser) throws Exception {
        try (PageServer server = PageServer.start(Samples.overview(Samples.locks(2)));
                Tab tab = browser.open(server.address("#/locks"), 1280, 800)) {
            tab.await("document.querySelectorAll('tr[data-index]').length === 2");
            server.send("change", change(Samples.NOW, "removed", List.of("lock-00000"), "locks", List.of()));
            tab.await("document.querySelectorAll('tr[data-index]').length === 1");
            tab.await("document.title === '1 held · Holdfast'");
        }
    }

    @Test
    void connection_consoleIsGone_marksTheDataAsOldUntilItIsBack(Browser browser) throws Exception {
        PageServer server = PageServer.start(Samples.overview(Samples.locks(2)));
        try (server) {
            Tab tab = browser.open(server.address("#/locks"), 1280, 800);
            tab.await("document.querySelector('.connection.good') && !document.querySelector('.frame.stale')");
            server.setGone(true);
            tab.await("document.querySelector('.frame.stale')");
            tab.await("/reconnecting, data of .* ago/.test(document.querySelector('.connection').innerText)");
            tab.await("document.title === 'Holdfast'");
            tab.await("document.getAnimations().every(bar => bar.playState !== 'running')");

            server.setGone(false);
            tab.await("document.querySelector('.connection.good') && !document.querySelector('.frame.stale')");
        }
    }

    @Test
    void connection_serverWithoutEvents_isAsked(Browser browser) throws Exception {
        try (PageServer server = PageServer.start(Samples.overview(Samples.locks(1)))) {
            server.setEvents(false);
            Tab tab = browser.open(server.address("#/locks"), 1280, 800);
            tab.await("document.querySelectorAll('tr[data-index]').length === 1");
            Map<String, Object> more = Samples.overview(Samples.locks(3));
            more.put("version", 2);
            server.show(more);
            tab.await("document.querySelectorAll('tr[data-index]').length === 3"
                    + " && document.querySelector('.connection.good')");
        }
    }

    @Test
    void connection_pageThatNobodySees_isClosed(Browser browser) throws Exception {
        try (PageServer server = PageServer.start(Samples.overview(Samples.locks(1)));
                Tab tab = browser.open(server.address("#/locks"), 1280, 800)) {
            tab.await("document.querySelector('.connection.good')");
            tab.evaluate("Object.defineProperty(document, 'hidden', {value: true, configurable: true})");
            tab.evaluate("document.dispatchEvent(new Event('visibilitychange'))");
            tab.await("document.querySelector('.frame.stale')");

            tab.evaluate("delete document.hidden; document.dispatchEvent(new Event('visibilitychange'))");
            tab.await("document.querySelector('.connection.good')");
        }
    }

    @Test
    void connection_serverWithoutEventsAndChanges_keepsTheTime(Browser browser) throws Exception {
        long ends = Samples.NOW + Duration.ofHours(9).toMillis();
        Map<String, Object> state = Samples.full();
        state.put(
                "nodes",
                List.of(Map.of("name", "redis://a:1", "state", "quarantined", "cause", "", "quarantineEnds", ends)));
        try (PageServer server = PageServer.start(state)) {
            server.setEvents(false);
            try (Tab tab = browser.open(server.address("#/nodes"), 1280, 800)) {
                tab.await("/\\d h/.test(document.querySelector('.countdown')?.innerText)");
                server.setTime(ends - 10_000);
                tab.await("/in\\s+\\d+ s/.test(document.querySelector('.countdown').innerText)");
            }
        }
    }

    @Test
    void connection_acceptedButSilent_isReplaced(Browser browser) throws Exception {
        try (PageServer server = PageServer.start(Samples.overview(Samples.locks(1)))) {
            server.setSilent(true);
            try (Tab tab = browser.open(server.address("#/locks"), 1280, 800)) {
                tab.await("document.querySelector('.connection.lost')");
                server.setSilent(false);
                tab.evaluate("performance.now = (now => () => now() + 60_000)(performance.now.bind(performance))");
                tab.await("document.querySelector('.connection.good')");
            }
        }
    }

    @Test
    void connection_pageOpenedUnseen_isOpenedOnce(Browser browser) throws Exception {
        try (PageServer server = PageServer.start(Samples.overview(Samples.locks(1)));
                Tab tab = browser.open(URI.create("about:blank#"), 1280, 800)) {
            tab.call(
                    "Page.addScriptToEvaluateOnNewDocument",
                    Map.of("source", "Object.defineProperty(document, 'hidden', {value: true, configurable: true})"));
            tab.go(server.address("#/locks"));
            tab.await("document.querySelector('.connection.lost')");
            tab.evaluate("delete document.hidden; document.dispatchEvent(new Event('visibilitychange'))");
            tab.await("document.querySelector('.connection.good')");
            assertThat(server.streams()).isEqualTo(1);
        }
    }

    @Test
    void bar_motion_runsUnlessTheViewerWantsNone(Browser browser) throws Exception {
        try (PageServer server = PageServer.start(Samples.overview(Samples.locks(2)));
                Tab tab = browser.open(server.address("#/locks"), 1280, 800)) {
            tab.await("document.getAnimations().length === 2");
            String scale = "getComputedStyle(document.querySelector('.fill')).transform";
            String before = tab.text(scale);
            tab.await(scale + " !== '" + before + "'");

            tab.prefer("prefers-reduced-motion", "reduce");
            tab.go(server.address("?calm#/locks"));
            tab.await("document.querySelectorAll('.fill').length === 2 && document.getAnimations().length === 0");
            String calm = tab.text(scale);
            tab.await(scale + " !== '" + calm + "'");
        }
    }

    @Test
    void reading_incomplete_isSaid(Browser browser) throws Exception {
        Map<String, Object> part = Samples.overview(Samples.locks(2));
        part.put(
                "reading",
                Json.fields("complete", false, "keys", 9, "detail", "Too many keys.", "locks", 2, "left", 7));
        try (PageServer server = PageServer.start(part);
                Tab tab = browser.open(server.address("#/locks"), 360, 700)) {
            tab.await("document.querySelector('.partial')?.innerText.includes("
                    + "'Too many keys. At least 7 locks more not shown.')");
        }
    }
}
