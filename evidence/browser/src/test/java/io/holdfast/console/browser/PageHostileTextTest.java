package io.holdfast.console.browser;

import static org.assertj.core.api.Assertions.assertThat;

import io.holdfast.console.PageServer;
import io.holdfast.console.Samples;
import io.holdfast.console.json.Json;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/** Names, notes, hosts and texts of others are shown as text, whatever they contain. */
@Tag("process")
@Tag("evidence")
@ExtendWith(BrowserExtension.class)
class PageHostileTextTest {

    private static final long SEED = 20_261_126;
    private static final int COUNT = 1000;

    private static final List<String> PIECES = List.of(
            "<script>window.ran=1</script>",
            "<img src=x onerror=window.ran=1>",
            "\"><svg onload=window.ran=1>",
            "'onmouseover='window.ran=1",
            "javascript:window.ran=1",
            "{{constructor.constructor('window.ran=1')()}}",
            "${window.ran=1}",
            "</style><style>*{display:none}",
            "\u202e",
            "\u2066",
            "\u200b",
            "\u0000",
            "\u0007",
            "\n",
            "\r\n",
            "\t",
            "\u2028",
            "\ud83d\ude00",
            "\ufdfa",
            "Z\u0337\u0300\u0325\u0329\u0353",
            "\u05d0\u05d1",
            "%00",
            "%2f..%2f",
            "../",
            "#/nodes",
            "__proto__",
            "constructor",
            "toString",
            " ",
            "\\",
            "&lt;b&gt;",
            "&#x3c;",
            "x".repeat(10_000),
            "W".repeat(300));

    private final Random random = new Random(SEED);

    private String text() {
        StringBuilder text = new StringBuilder();
        for (int i = random.nextInt(4); i >= 0; i--) {
            text.append(PIECES.get(random.nextInt(PIECES.size())));
        }
        return text.toString();
    }

    private Map<String, Object> client(int number) {
        return Json.fields("id", text() + number, "name", text(), "pid", number, "since", Samples.NOW - 1000);
    }

    private Map<String, Object> hostile() {
        List<Map<String, Object>> locks = IntStream.range(0, COUNT)
                .mapToObj(i -> {
                    Map<String, Object> lock = Samples.lock(
                            text() + (i == 0 ? "" : i), client(i), client(i + COUNT), client(i + 2 * COUNT));
                    lock.put("note", text());
                    lock.put("token", text());
                    lock.put("holder", text());
                    lock.put("lost", Json.fields("id", text(), "name", text(), "at", Samples.NOW, "end", text()));
                    return lock;
                })
                .toList();
        Map<String, Object> state = Samples.overview(locks);
        List<Object> jobs = new ArrayList<>();
        for (int i = 0; i < 30; i++) {
            Map<String, Object> job = Samples.job(text() + i, "failed", i % 2 == 0);
            job.put(
                    "runs",
                    List.of(Json.fields(
                            "start",
                            Samples.NOW - 9000,
                            "end",
                            Samples.NOW,
                            "status",
                            text(),
                            "text",
                            text(),
                            "runner",
                            text())));
            jobs.add(job);
        }
        state.put("jobs", jobs);
        state.put("source", Json.fields("name", text(), "nodes", 3, "majority", 2));
        state.put(
                "nodes",
                IntStream.range(0, 3)
                        .mapToObj(i -> Json.fields(
                                "name", text() + i, "state", i == 0 ? text() : "unreachable", "cause", text()))
                        .toList());
        Map<?, ?> first = locks.get(0);
        state.put(
                "cycles",
                List.of(List.of(
                        Json.fields("client", text(), "name", text(), "waitsFor", first.get("name")),
                        Json.fields("client", text(), "name", text(), "waitsFor", text()))));
        state.put("reading", Json.fields("complete", false, "keys", 1, "detail", text(), "locks", COUNT, "left", 1));
        return state;
    }

    @Test
    void views_thousandHostileTexts_runNothingAndFit(Browser browser) throws Exception {
        try (PageServer server = PageServer.start(hostile())) {
            for (int width : new int[] {1280, 360}) {
                Tab tab = browser.open(server.address("#/locks"), width, 800);
                tab.await("document.querySelectorAll('tr[data-index]').length > 5");
                for (String view : List.of("nodes", "jobs", "waits", "locks")) {
                    tab.evaluate("location.hash = '#/" + view + "'");
                    tab.await("document.querySelector('#" + view + "-title')");
                    check(tab, view + " at " + width);
                }
                for (int i = 0; i < COUNT; i += 100) {
                    tab.evaluate("document.querySelector('.locks .scroll').scrollTop = 1e9 * " + i + " / " + COUNT);
                    tab.evaluate("[...document.querySelectorAll('tr[data-index] a')].at(-1).click()");
                    tab.await("document.querySelector('#history-title')");
                    check(tab, "a lock at " + width);
                    tab.evaluate("location.hash = '#/locks'");
                    tab.await("!document.querySelector('.panel')");
                }
                tab.evaluate("location.hash = '#/jobs'");
                tab.await("document.querySelector('#jobs-title')");
                tab.evaluate("document.querySelector('.jobs tbody a').click()");
                tab.await("document.querySelector('#runs-title')");
                check(tab, "a job at " + width);
                tab.close();
            }
        }
    }

    private static void check(Tab tab, String what) {
        assertThat(tab.text("window.ran")).as(what).isEqualTo("undefined");
        assertThat(tab.text("document.querySelectorAll('#page script, #page img[src=x], #page style').length"))
                .as(what)
                .isEqualTo("0");
        assertThat(PageViewsTest.overflow(tab)).as(what).isZero();
        assertThat(tab.complaints()).as(what).isEmpty();
    }

    @Test
    void lock_anyName_isAskedForByExactlyThatName(Browser browser) throws Exception {
        List<String> names =
                List.of("\u202e\n\u0000", "", "a/b?c#d&e=f%20+", "__proto__", "\ud83d\ude00<b>", "x".repeat(10_000));
        try (PageServer server = PageServer.start(Samples.overview(names.stream()
                        .map(name -> Samples.lock(name, Samples.client("a@pod", 1)))
                        .toList()));
                Tab tab = browser.open(server.address("#/locks"), 1280, 800)) {
            for (int i = 0; i < names.size(); i++) {
                tab.await("document.querySelector('[data-index=\"" + i + "\"] a')");
                tab.evaluate("document.querySelector('[data-index=\"" + i + "\"] a').click()");
                tab.await("document.querySelector('#history-title')");
                tab.evaluate("location.hash = '#/locks'");
                tab.await("!document.querySelector('.panel')");
            }
            assertThat(server.askedLocks()).containsOnlyOnceElementsOf(names);
            assertThat(tab.complaints()).isEmpty();
        }
    }
}
