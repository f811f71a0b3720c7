package io.holdfast.console.browser;

import java.io.IOException;
import java.net.URI;
import java.nio.file.Path;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledIfSystemProperty;
import org.junit.jupiter.api.extension.ExtendWith;

/** Takes the pictures of the documents, of a demonstration that runs; for {@code build/console-pictures}. */
@Tag("process")
@ExtendWith(BrowserExtension.class)
@EnabledIfSystemProperty(named = ConsolePictures.ADDRESS, matches = "http.*")
class ConsolePictures {

    static final String ADDRESS = "holdfast.pictures";

    private static final Path FOLDER = Path.of("../../docs/pictures");

    private static final String STATE = "const state = await (await fetch('api/overview')).json();";

    private static Tab open(Browser browser, String hash, int width, String scheme) throws Exception {
        Tab tab = browser.open(URI.create(System.getProperty(ADDRESS)).resolve("./" + hash), width, 760);
        tab.prefer("prefers-color-scheme", scheme);
        tab.await("document.querySelectorAll('tr[data-index], .card').length > 2");
        return tab;
    }

    /** Runs statements in the page, which may await. */
    private static String run(Tab tab, String statements) {
        return tab.evaluate("(async () => { " + STATE + statements + " })()").asString();
    }

    private static String demo(String action, String target) {
        return "await fetch('api/demo', {method: 'POST', headers: {'Content-Type': 'application/json',"
                + " 'X-Holdfast-Console': '1'}, body: JSON.stringify({action: '" + action + "', target: " + target
                + "})});";
    }

    private static void take(Tab tab, String name) throws IOException {
        tab.evaluate("document.fonts.ready.then(() => document.activeElement.blur())");
        tab.picture(FOLDER.resolve("console-" + name + ".png"));
    }

    @Test
    void locks_holderIsKilled_isRed(Browser browser) throws Exception {
        try (Tab tab = open(browser, "#/locks", 1280, "light")) {
            // The history of a lock is what the console saw while a viewer looked.
            tab.await("(window.seen ??= new Set(), document.querySelectorAll('.holder .client .text').forEach("
                    + "name => seen.add(name.closest('tr').dataset.index + name.textContent)), seen.size > 24)");
            tab.await("document.querySelectorAll('tr[data-index] .chip').length > 3");
            String lock = run(
                    tab,
                    "const held = state.locks.filter(lock => lock.state === 'held' && lock.queue.length > 0"
                            + " && lock.clients.length === 1).sort((a, b) => b.queue.length - a.queue.length)[0];"
                            + demo(
                                    "kill-client",
                                    "state.demoClients.find(client => client.name === held.clients[0].name).id")
                            + "location.hash = '#/locks/' + encodeURIComponent(held.name); return held.name;");
            tab.await("document.querySelector('tr.red a')?.innerText === '" + lock + "'");
            tab.await("document.querySelector('.hold-lost')");
            take(tab, "locks");
        }
    }

    @Test
    void waits_cycle_isRed(Browser browser) throws Exception {
        try (Tab tab = open(browser, "#/locks", 1280, "dark")) {
            run(tab, demo("cycle", "''"));
            tab.evaluate("location.hash = '#/waits'");
            tab.await("document.querySelector('.edge.red') && document.querySelectorAll('.edge').length > 6");
            take(tab, "waits");
        }
    }

    @Test
    void nodes_oneIsInQuarantine(Browser browser) throws Exception {
        try (Tab tab = open(browser, "#/nodes", 1280, "dark")) {
            tab.await("document.querySelectorAll('.spark').length === 3");
            run(tab, demo("wipe", "state.nodes[2].name"));
            tab.await("document.querySelector('.countdown')");
            take(tab, "nodes");
        }
    }

    @Test
    void jobs_oneIsOverdue(Browser browser) throws Exception {
        try (Tab tab = open(browser, "#/jobs/prices", 1280, "light")) {
            tab.await("document.querySelector('.panel .chart .run')");
            take(tab, "jobs");
        }
    }

    @Test
    void phone(Browser browser) throws Exception {
        try (Tab tab = open(browser, "#/locks", 390, "light")) {
            tab.await("document.querySelectorAll('tr[data-index] .chip').length > 3");
            take(tab, "phone");
        }
    }
}
