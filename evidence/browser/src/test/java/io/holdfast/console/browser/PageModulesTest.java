package io.holdfast.console.browser;

import static org.assertj.core.api.Assertions.assertThat;

import io.holdfast.console.PageServer;
import io.holdfast.console.Samples;
import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/** The pure functions of the page. */
@Tag("process")
@Tag("evidence")
@ExtendWith(BrowserExtension.class)
class PageModulesTest {

    private static String of(Browser browser, String module, String expression) throws Exception {
        try (PageServer server = PageServer.start(Samples.overview(List.of()));
                Tab tab = browser.open(server.address(""), 800, 600)) {
            return tab.evaluate("import('./" + module + ".js').then(m => String(" + expression + "))")
                    .asString();
        }
    }

    @Test
    void duration_hasTwoUnitsAtMost(Browser browser) throws Exception {
        assertThat(of(browser, "format", "[0, 400, 28999, 250000, 3600000, 93600000].map(m.duration).join()"))
                .isEqualTo("0 s,400 ms,28 s,4 min 10 s,1 h,1 d 2 h");
        assertThat(of(browser, "format", "[59000, 599000, 660000, 79200000].map(m.about).join()"))
                .isEqualTo("59 s,9 min 59 s,11 min,22 h");
    }

    @Test
    void visible_controlsAndDirections_areEscaped(Browser browser) throws Exception {
        assertThat(of(browser, "format", "m.plain('a\\u202eb\\n\\u0000\\u{1f600}', 99)"))
                .isEqualTo("a\\u202eb\\n\\u0000\ud83d\ude00");
        assertThat(of(browser, "format", "m.plain('x'.repeat(99), 3)")).isEqualTo("xxx…");
    }

    @Test
    void route_anyName_survivesTheHash(Browser browser) throws Exception {
        assertThat(of(
                        browser,
                        "route",
                        "JSON.stringify(['', 'a/b#c?%41', '\\u0000\\n'].map(n => m.parse(m.path('locks', n)).name))"))
                .isEqualTo("[\"\",\"a/b#c?%41\",\"\\u0000\\n\"]");
        assertThat(of(browser, "route", "m.parse('#/constructor/x').view + m.parse('').view"))
                .isEqualTo("lockslocks");
    }

    @Test
    void cells_missedPeriods_areMissing(Browser browser) throws Exception {
        String job =
                "({name: 'j', overdue: true, failed: false, running: false, complete: true, expectEveryMillis: 100,"
                        + " nextDue: 1000, runs: [0, 100, 205, 300, 601, 700, 900]"
                        + ".map(start => ({start, status: 'succeeded'}))})";
        assertThat(of(browser, "runs", "m.cells(" + job + ", 1150).map(c => c.kind[0]).join('')"))
                .isEqualTo("ggggmmggmgmm");
        String full = "({expectEveryMillis: 100, runs: [...Array(20).keys()]"
                + ".map(i => ({start: i ? 1000 + 100 * i : 0, status: 'failed'}))})";
        assertThat(of(browser, "runs", "m.cells(" + full + ", 3000).length"))
                .as("the record has left runs out")
                .isEqualTo("20");
    }

    @Test
    void layout_chainAndCycle_goFromTheHolderToTheRight(Browser browser) throws Exception {
        String locks = "[{name: 'x', clients: [{id: 'h', name: 'h'}], queue: [{id: 'w', name: 'w'}]},"
                + " {name: 'y', clients: [{id: 'w', name: 'w'}], queue: [{id: 'v', name: 'v'}]}]";
        assertThat(of(browser, "layout", "m.layout(" + locks + ", []).boxes.map(b => b.id + b.depth).sort().join()"))
                .isEqualTo("h0,v4,w2,x1,y3");
        String cycle = "[{name: 'x', clients: [{id: 'a', name: 'a'}], queue: [{id: 'b', name: 'b'}]},"
                + " {name: 'y', clients: [{id: 'b', name: 'b'}], queue: [{id: 'a', name: 'a'}]}]";
        String steps = "[[{client: 'a', waitsFor: 'y'}, {client: 'b', waitsFor: 'x'}]]";
        assertThat(of(
                        browser,
                        "layout",
                        "(g => [g.edges.length, g.edges.filter(e => e.red).length, g.edges.filter(e => e.back)"
                                + ".length, g.boxes.filter(b => b.red).length].join())(m.layout(" + cycle + ", " + steps
                                + "))"))
                .isEqualTo("4,4,1,4");
    }

    @Test
    void counts_ofTheHeader_areThoseOfTheState(Browser browser) throws Exception {
        assertThat(of(
                        browser,
                        "state",
                        "JSON.stringify(m.counts(m.changed(m.whole({locks: [{name: 'a', state: 'held', queue: [1, 2]},"
                                + " {name: 'b', state: 'free', queue: []}]}), {removed: ['b'],"
                                + " locks: [{name: 'c', state: 'shared',"
                                + " queue: []}], cycles: [[]]})))"))
                .isEqualTo("{\"held\":2,\"waiting\":2,\"cycles\":1,\"overdue\":0}");
    }

    @Test
    void now_clockOfTheConsoleIsSetBack_isThatClock(Browser browser) throws Exception {
        String time = "1795670000000";
        String hourAgo = "1795666400000";
        assertThat(of(
                        browser,
                        "clock",
                        "(m.forget(), m.heard(" + time + "), m.heard(" + hourAgo + "), m.now() - " + hourAgo
                                + " < 1800000)"))
                .isEqualTo("true");
        assertThat(of(
                        browser,
                        "clock",
                        "(m.forget(), m.heard(" + time + "), m.heard(" + time + " - 1000), m.now() >= " + time + ")"))
                .isEqualTo("true");
    }
}
