package io.holdfast.console.browser;

import static org.assertj.core.api.Assertions.assertThat;

import io.holdfast.console.PageServer;
import io.holdfast.console.Samples;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/** Everything can be done with the keyboard alone, and the focus is always seen. */
@Tag("process")
@Tag("evidence")
@ExtendWith(BrowserExtension.class)
class PageKeyboardTest {

    private static final int STOPS = 120;
    private static final String FOCUS = "document.activeElement";

    @Test
    void keys_chooseViewsSearchAndClose(Browser browser) throws Exception {
        try (PageServer server = PageServer.start(Samples.full());
                Tab tab = browser.open(server.address(""), 1280, 800)) {
            tab.await("document.querySelectorAll('tr[data-index]').length === 5");
            List<String> titles = new ArrayList<>();
            for (String key : List.of("2", "3", "4", "1")) {
                tab.press(key);
                tab.await("document.querySelector('nav [aria-current]').getAttribute('aria-keyshortcuts') === '" + key
                        + "'");
                titles.add(tab.text("document.querySelector('main h1').innerText"));
            }
            assertThat(titles).containsExactly("Nodes", "Jobs", "Waits", "Locks");

            tab.press("2", "/");
            tab.await(FOCUS + ".id === 'search'");
            tab.type("mail@pod");
            tab.await("document.querySelectorAll('tr[data-index]').length === 1");
            tab.press("Escape");
            tab.await("document.querySelectorAll('tr[data-index]').length === 5");
        }
    }

    @Test
    void arrows_moveBetweenRowsAndEnterOpensOne(Browser browser) throws Exception {
        try (PageServer server = PageServer.start(Samples.overview(Samples.locks(1000)));
                Tab tab = browser.open(server.address("#/locks"), 1280, 800)) {
            tab.await("document.querySelector('[data-index=\"0\"] a')");
            tab.evaluate("document.querySelector('[data-index=\"0\"] a').focus()");
            tab.press("ArrowDown");
            tab.await(FOCUS + ".innerText === 'lock-00001'");
            tab.press("End");
            tab.await(FOCUS + ".innerText === 'lock-00999'");
            tab.press("Enter");
            tab.await(FOCUS + ".id === 'lock-title' && " + FOCUS + ".innerText === 'lock-00999'");
            tab.press("Escape");
            tab.await("!document.querySelector('.panel') && " + FOCUS + ".innerText === 'lock-00999'");
        }
    }

    @Test
    void break_byKeysOnly_sendsWhatWasSeen(Browser browser) throws Exception {
        try (PageServer server = PageServer.start(Samples.full());
                Tab tab = browser.open(server.address("#/locks/order%3A42"), 1280, 800)) {
            tab.await(FOCUS + ".id === 'lock-title' && document.querySelector('#history-title')");
            tabTo(tab, FOCUS + ".matches('button.danger')");
            tab.press("Enter");
            tab.await("document.querySelector('dialog[open]') && " + FOCUS + ".name === 'confirm'");

            tab.type("order:4");
            tab.press("Enter");
            assertThat(server.commands()).isEmpty();
            tab.type("2");
            tab.press("Tab");
            tab.type("pod-1 is gone");
            tab.press("Enter");
            tab.await("!document.querySelector('dialog') && " + FOCUS + ".matches('button.danger')");
            assertThat(server.commands())
                    .containsExactly("api/break {\"name\":\"order:42\",\"holder\":\"f9693bf11dbf\",\"clients\":\"k1\","
                            + "\"confirm\":\"order:42\",\"reason\":\"pod-1 is gone\"}");
            assertThat(tab.complaints()).isEmpty();
        }
    }

    @Test
    void break_refused_saysWhyAndEscapeCloses(Browser browser) throws Exception {
        try (PageServer server = PageServer.start(Samples.full())) {
            server.refuseCommands(409, "The holder has changed", "Look again.");
            Tab tab = browser.open(server.address("#/locks/order%3A42"), 1280, 800);
            tab.await("document.querySelector('button.danger')");
            tab.evaluate("document.querySelector('button.danger').focus()");
            tab.press("Enter");
            tab.await("document.querySelector('dialog[open]')");
            tab.type("order:42");
            tab.press("Tab");
            tab.type("why");
            tab.press("Enter");
            tab.await("document.querySelector('dialog .problem')?.innerText === 'The holder has changed: Look again.'");

            tab.press("Escape");
            tab.await("!document.querySelector('dialog') && location.hash === '#/locks/order%3A42'");
        }
    }

    @Test
    void break_anotherLockIsChosen_isNotAboutThatLock(Browser browser) throws Exception {
        try (PageServer server = PageServer.start(Samples.full());
                Tab tab = browser.open(server.address("#/locks/order%3A42"), 1280, 800)) {
            tab.await("document.querySelector('button.danger')");
            tab.evaluate("document.querySelector('button.danger').click()");
            tab.await("document.querySelector('dialog[open]')");
            tab.evaluate("location.hash = '#/locks/a'");
            tab.await("document.querySelector('#lock-title').innerText === 'a' && !document.querySelector('dialog')");
        }
    }

    @Test
    void break_beingSent_cannotBeCancelled(Browser browser) throws Exception {
        CompletableFuture<Void> sent = new CompletableFuture<>();
        try (PageServer server = PageServer.start(Samples.full());
                Tab tab = browser.open(server.address("#/locks/order%3A42"), 1280, 800)) {
            server.holdCommands(sent);
            tab.await("document.querySelector('button.danger')");
            tab.evaluate("document.querySelector('button.danger').click()");
            tab.await("document.querySelector('dialog[open]')");
            tab.type("order:42");
            tab.press("Tab");
            tab.type("why");
            tab.press("Enter");
            tab.await("document.querySelector('dialog button[type=button]').getAttribute('aria-disabled') === 'true'");
            tab.press("Escape");
            tab.evaluate("document.querySelector('dialog button[type=button]').click()");
            assertThat(tab.evaluate("document.querySelector('dialog').open").asBoolean())
                    .isTrue();

            sent.complete(null);
            tab.await("!document.querySelector('dialog')");
        } finally {
            sent.complete(null);
        }
    }

    @Test
    void tab_throughEachView_showsTheFocusAndReachesEverything(Browser browser) throws Exception {
        try (PageServer server = PageServer.start(Samples.full())) {
            for (String view : PageViewsTest.VIEWS) {
                Tab tab = browser.open(server.address(view), 1280, 800);
                PageViewsTest.shown(tab, view);
                tab.evaluate("document.querySelector('.skip').focus()");
                tab.evaluate("window.unseen = []; window.reached = new Set([document.activeElement])");
                for (int i = 0;
                        i < STOPS && !tab.evaluate(FOCUS + " === document.body").asBoolean();
                        i++) {
                    tab.press("Tab");
                    tab.evaluate("(() => { const at = " + FOCUS + "; reached.add(at);"
                            + " if (at !== document.body && getComputedStyle(at).outlineStyle === 'none')"
                            + " unseen.push(at.outerHTML.slice(0, 100)); })()");
                }
                assertThat(tab.text("unseen.join()")).as(view).isEmpty();
                assertThat(tab.text("[...document.querySelectorAll('a[href], button, input, select')]"
                                + ".filter(e => !reached.has(e) && e.checkVisibility())"
                                + ".map(e => e.outerHTML.slice(0, 100)).join()"))
                        .as(view)
                        .isEmpty();
                tab.close();
            }
        }
    }

    private static void tabTo(Tab tab, String condition) {
        for (int i = 0; i < STOPS; i++) {
            if (tab.evaluate(condition).asBoolean()) {
                return;
            }
            tab.press("Tab");
        }
        throw new AssertionError("the focus never came to " + condition);
    }
}
