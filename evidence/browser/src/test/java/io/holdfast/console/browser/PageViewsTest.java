package io.holdfast.console.browser;

import static org.assertj.core.api.Assertions.assertThat;

import io.holdfast.console.PageServer;
import io.holdfast.console.Samples;
import io.holdfast.console.json.Json;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/** Each view shows its part of the state, in a real browser. */
@Tag("process")
@Tag("evidence")
@ExtendWith(BrowserExtension.class)
class PageViewsTest {

    static final List<String> VIEWS =
            List.of("#/locks", "#/locks/order%3A42", "#/nodes", "#/jobs", "#/jobs/backup", "#/waits");

    private static final int DESKTOP = 1280;
    private static final int PHONE = 360;

    @Test
    void views_ofAllStates_fitAndComplainOfNothing(Browser browser) throws Exception {
        try (PageServer server = PageServer.start(Samples.full())) {
            for (String scheme : List.of("light", "dark")) {
                for (int width : new int[] {DESKTOP, PHONE}) {
                    for (String view : VIEWS) {
                        Tab tab = browser.open(server.address(view), width, 800);
                        tab.prefer("prefers-color-scheme", scheme);
                        shown(tab, view);

                        assertThat(tab.complaints()).as(view).isEmpty();
                        assertThat(overflow(tab)).as("%s at %d", view, width).isZero();
                        tab.close();
                    }
                }
            }
        }
    }

    @Test
    void header_whileReconnecting_fitsAtEachWidth(Browser browser) throws Exception {
        for (int width : new int[] {1920, DESKTOP, 1181, 981, 901, 721, PHONE}) {
            try (PageServer server = PageServer.start(Samples.full());
                    Tab tab = browser.open(server.address("#/nodes"), width, 800)) {
                shown(tab, "#/nodes");
                server.setGone(true);
                tab.await("document.querySelector('.connection.lost')?.innerText.includes('data of')");

                assertThat(overflow(tab)).as("at %d", width).isZero();
            }
        }
    }

    /** Waits until a view shows the state of the server, details included. */
    static void shown(Tab tab, String view) {
        tab.await("document.querySelector('main [id$=-title]') && document.querySelector('.connection.good')");
        if (view.startsWith("#/locks/")) {
            tab.await("document.querySelector('#history-title')");
        }
    }

    static int overflow(Tab tab) {
        return tab.evaluate("document.documentElement.scrollWidth - document.documentElement.clientWidth")
                .asInt();
    }

    @Test
    void waits_cycle_isDrawnInRedAndWritten(Browser browser) throws Exception {
        try (PageServer server = PageServer.start(Samples.full());
                Tab tab = browser.open(server.address("#/waits"), DESKTOP, 800)) {
            tab.await("document.querySelectorAll('.edge.red').length === 6");

            assertThat(tab.text("document.querySelectorAll('.box.red').length")).isEqualTo("6");
            assertThat(tab.text("document.querySelector('.cycles').innerText"))
                    .contains("Cycle of 3", "a@pod-1", "waits for b", "held by");
            assertThat(tab.text("document.querySelector('header .counts').innerText"))
                    .contains("1 cycle");
        }
    }

    @Test
    void nodes_quarantine_countsDown(Browser browser) throws Exception {
        try (PageServer server = PageServer.start(Samples.full());
                Tab tab = browser.open(server.address("#/nodes"), DESKTOP, 800)) {
            tab.await("document.querySelector('.countdown')?.innerText.includes('1 min')");
            assertThat(tab.text("document.querySelector('.spare').innerText"))
                    .isEqualTo("2 of 3 nodes vote. None may fail now: 2 votes are needed.");

            server.send("alive", Map.of("version", 1, "time", Samples.NOW + 80_000));
            tab.await("/in\\s+\\d s/.test(document.querySelector('.countdown').innerText)");
        }
    }

    @Test
    void nodes_previousSet_isShownBesideThePresentOne(Browser browser) throws Exception {
        Map<String, Object> state = Samples.overview(List.of());
        Map<String, Object> closed = Samples.node(7001);
        closed.putAll(Json.fields("state", "closed", "cause", "the set is being changed"));
        state.put("previousNodes", List.of(closed));
        state.put("spareVotes", -1);
        try (PageServer server = PageServer.start(state);
                Tab tab = browser.open(server.address("#/nodes"), DESKTOP, 800)) {
            tab.await("document.querySelectorAll('.card').length === 4");

            assertThat(tab.text("document.querySelector('.spare').innerText"))
                    .isEqualTo("3 of 3 nodes vote, and 0 of 1 of the previous set."
                            + " No lock can be acquired: a majority of each set is needed.");
            assertThat(tab.text("document.querySelector('section > h2').innerText"))
                    .isEqualTo("Previous set");
            assertThat(tab.text("document.querySelectorAll('header .lamps .lamp').length"))
                    .isEqualTo("4");
        }
    }

    @Test
    void jobs_eachState_hasItsColourAndItsText(Browser browser) throws Exception {
        try (PageServer server = PageServer.start(Samples.full());
                Tab tab = browser.open(server.address("#/jobs"), DESKTOP, 800)) {
            tab.await("document.querySelectorAll('.jobs tr[data-index]').length === 3");

            assertThat(tab.text("document.querySelector('.jobs tr[data-index]').innerText"))
                    .contains("sync", "overdue", "late");
            assertThat(tab.text("document.querySelectorAll('.jobs tr[data-index=\"0\"] .run.missing').length"))
                    .isEqualTo("3");
            assertThat(tab.text("document.querySelectorAll('.jobs .run.lost').length"))
                    .isEqualTo("1");
            assertThat(tab.text("document.querySelectorAll('.jobs .run.good').length"))
                    .isEqualTo("11");
        }
    }

    @Test
    void locks_thousand_rendersThoseThatAreSeen(Browser browser) throws Exception {
        try (PageServer server = PageServer.start(Samples.overview(Samples.locks(1000)));
                Tab tab = browser.open(server.address("#/locks"), DESKTOP, 800)) {
            tab.await("document.querySelectorAll('tr[data-index]').length > 10");
            assertThat(tab.evaluate("document.querySelectorAll('tr[data-index]').length")
                            .asInt())
                    .isLessThan(50);

            tab.evaluate("document.querySelector('.locks .scroll').scrollTop = 1e9");
            tab.await("document.querySelector('[data-index=\"999\"]')");
            assertThat(tab.text("document.querySelector('[data-index=\"999\"] a').innerText"))
                    .isEqualTo("lock-00999");
            assertThat(tab.text("document.querySelector('table').getAttribute('aria-rowcount')"))
                    .isEqualTo("1001");
        }
    }

    @Test
    void locks_filterAndOrder_chooseTheRows(Browser browser) throws Exception {
        List<Map<String, Object>> locks = new ArrayList<>(Samples.locks(3));
        Map<String, Object> oldest = Samples.lock("z", Samples.client("z@pod", 77));
        oldest.put("heldSince", Samples.NOW - 99_000);
        locks.add(oldest);
        try (PageServer server = PageServer.start(Samples.overview(locks));
                Tab tab = browser.open(server.address("#/locks"), DESKTOP, 800)) {
            String names = "[...document.querySelectorAll('tr[data-index] th a')].map(a => a.innerText).join(' ')";
            tab.await(names + " === 'lock-00000 lock-00001 lock-00002 z'");

            tab.evaluate("document.querySelectorAll('.sort')[1].click()");
            tab.await(names + " === 'z lock-00000 lock-00001 lock-00002'");
            tab.evaluate("document.querySelector('.toggle').click()");
            tab.await(names + " === 'lock-00000 lock-00001 lock-00002'");
        }
    }

    @Test
    void rows_withLittle_areShown(Browser browser) throws Exception {
        Map<String, Object> state = Samples.overview(List.of(
                Map.of("name", "x", "state", "disputed"),
                Map.of("name", "y", "state", "free", "heldSince", Long.MAX_VALUE, "freeAt", Long.MAX_VALUE)));
        Map<String, Object> job = Samples.job("j", "failed", true);
        job.put("nextDue", Long.MAX_VALUE);
        job.put("runs", List.of(Map.of("start", Long.MAX_VALUE, "end", Long.MAX_VALUE, "status", "failed")));
        state.put("jobs", List.of(job, Map.of("name", "k")));
        try (PageServer server = PageServer.start(state);
                Tab tab = browser.open(server.address("#/locks"), DESKTOP, 800)) {
            tab.await("document.querySelectorAll('tr[data-index]').length === 2");
            tab.evaluate("location.hash = '#/locks/y'");
            tab.await("document.querySelector('#history-title')");
            tab.evaluate("location.hash = '#/jobs/j'");
            tab.await("document.querySelector('#runs-title')");
            assertThat(tab.complaints()).isEmpty();
        }
    }

    @Test
    void state_thatCannotBeDrawn_isNotShownAsFresh(Browser browser) throws Exception {
        try (PageServer server = PageServer.start(Samples.full());
                Tab tab = browser.open(server.address("#/locks"), DESKTOP, 800)) {
            tab.await("document.querySelector('.connection.good')");
            server.show(Samples.overview(List.of(Map.of("name", "x", "state", "held", "clients", 5))));
            tab.await("document.querySelector('[role=alert]')?.innerText.startsWith('Reload it.')");
            tab.await("!document.querySelector('.connection')");
        }
    }

    @Test
    void waits_manyClients_areCountedAndNotAllDrawn(Browser browser) throws Exception {
        List<Map<String, Object>> locks = new ArrayList<>(Samples.locks(1000));
        Map<String, Object> crowded = Samples.lock("crowded", Samples.client("h@pod", 1), Samples.client("w@pod", 2));
        crowded.put("waiting", 250);
        locks.add(crowded);
        try (PageServer server = PageServer.start(Samples.overview(locks));
                Tab tab = browser.open(server.address("#/waits"), DESKTOP, 800)) {
            tab.await("document.querySelectorAll('.box').length > 10");
            assertThat(tab.evaluate("document.querySelectorAll('.box').length").asInt())
                    .isLessThan(800);
            assertThat(tab.text("document.querySelector('.graph').textContent")).contains("crowded", "249 more");
            assertThat(tab.text("document.querySelector('header .counts').innerText"))
                    .contains("1,250 waiting");
            tab.evaluate("location.hash = '#/locks/crowded'");
            tab.await("document.querySelector('.panel')?.innerText.includes('… and 249 more.')");
            assertThat(tab.text("document.querySelector('tr.selected .more').innerText"))
                    .isEqualTo("+249");
        }
    }

    @Test
    void jobs_tenThousand_rendersThoseThatAreSeen(Browser browser) throws Exception {
        Map<String, Object> state = Samples.overview(List.of());
        List<Object> jobs = new ArrayList<>();
        for (int i = 0; i < 10_000; i++) {
            jobs.add(Samples.job("job-" + i, "succeeded", false));
        }
        state.put("jobs", jobs);
        try (PageServer server = PageServer.start(state);
                Tab tab = browser.open(server.address("#/jobs"), DESKTOP, 800)) {
            tab.await("document.querySelectorAll('.jobs tr[data-index]').length > 5");
            assertThat(tab.evaluate("document.querySelectorAll('.jobs tr[data-index]').length")
                            .asInt())
                    .isLessThan(50);
            tab.evaluate("document.querySelector('.jobs .scroll').scrollTop = 1e9");
            tab.await("document.querySelector('.jobs [data-index=\"9999\"]')");
        }
    }

    @Test
    void views_nothingHeld_sayWhatToDo(Browser browser) throws Exception {
        Map<String, Object> empty = Samples.overview(List.of());
        try (PageServer server = PageServer.start(empty);
                Tab tab = browser.open(server.address("#/locks"), PHONE, 700)) {
            tab.await("document.querySelector('main').innerText.includes('holdfast run hello -- sleep 60')");
            tab.press("3");
            tab.await("document.querySelector('main').innerText.includes('--once-per @daily')");
            tab.press("4");
            tab.await("document.querySelector('main').innerText.includes('No client waits')");
        }
    }
}
