package io.holdfast.console.view;

import static org.assertj.core.api.Assertions.assertThat;

import io.holdfast.console.json.Json;
import io.holdfast.servers.Eventually;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicLong;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/** Viewers of a feed whose clock the test moves. No wait ends by itself: each limit is an hour, or nothing. */
class FeedTest {

    private static final long HOUR = 3_600_000;
    private static final long TIME = 1_795_670_000_000L;

    private final AtomicLong nanos = new AtomicLong();
    private final Feed feed = new Feed(0, nanos::get);

    private void passSeconds(long seconds) {
        nanos.addAndGet(seconds * 1_000_000_000L);
    }

    /** Publishes a reading with these locks, the last one of which is the newest. */
    private void publish(String... locks) {
        TreeMap<String, Map<String, Object>> rows = new TreeMap<>();
        for (String lock : locks) {
            rows.put(lock, Json.fields("name", lock));
        }
        feed.publish(
                TIME,
                version -> new Overview(version, TIME, Json.fields("demo", false), rows, Json.fields("spareVotes", 1)));
    }

    private Viewer viewer() {
        assertThat(feed.enter(Integer.MAX_VALUE)).isTrue();
        return new Viewer(feed, () -> {});
    }

    private static String next(Viewer viewer, long limitMillis) throws InterruptedException {
        return viewer.next(limitMillis).orElseThrow();
    }

    @Test
    void next_newViewer_receivesTheWholeStateAtOnce() throws Exception {
        publish("order:1");
        publish("order:1", "order:2");
        passSeconds(1);

        assertThat(next(viewer(), HOUR))
                .startsWith("event: overview\n")
                .contains("\"demo\":false", "\"spareVotes\":1", "\"order:1\"", "\"order:2\"");
    }

    /** There was no viewer for a while, so what was read before is old. */
    @Test
    void next_newViewerOfAnOldState_waitsForAFreshOne() throws Exception {
        publish("order:1");
        passSeconds(3);
        CompletableFuture<String> first = new CompletableFuture<>();
        Thread thread = new Thread(() -> {
            try {
                first.complete(next(viewer(), HOUR));
            } catch (InterruptedException | RuntimeException e) {
                first.completeExceptionally(e);
            }
        });
        thread.start();
        Eventually.eventually(
                "the viewer waits", () -> first.isDone() || thread.getState() == Thread.State.TIMED_WAITING);

        publish("order:2");

        assertThat(Eventually.result(first)).startsWith("event: overview\n").contains("\"order:2\"");
    }

    @Test
    void next_viewerThatKnowsTheState_receivesWhatHasChanged() throws Exception {
        publish("order:1");
        Viewer viewer = viewer();
        next(viewer, HOUR);

        assertThat(next(viewer, 0)).startsWith("event: alive\n");
        publish("order:1", "order:2");
        publish("order:2");

        assertThat(next(viewer, HOUR).split("\n\n"))
                .hasSize(2)
                .allMatch(event -> event.startsWith("event: change\n"))
                .satisfiesExactly(
                        added -> assertThat(added).contains("\"order:2\""),
                        removed -> assertThat(removed).contains("\"removed\":[\"order:1\"]"));
    }

    @Test
    void next_viewerThatWasTooSlow_receivesTheWholeStateAgain() throws Exception {
        publish("order:0");
        Viewer viewer = viewer();
        next(viewer, HOUR);

        IntStream.rangeClosed(1, 200).forEach(i -> publish("order:" + i));

        assertThat(next(viewer, HOUR)).startsWith("event: overview\n").contains("\"order:200\"");
    }

    @Test
    void next_readingFails_isSaidUntilOneWorks() throws Exception {
        publish("order:1");
        Viewer viewer = viewer();
        next(viewer, HOUR);

        feed.replace("spareVotes", -1);
        assertThat(next(viewer, HOUR)).startsWith("event: change\n").contains("\"spareVotes\":-1");
        feed.replace("spareVotes", -1);
        assertThat(next(viewer, 0)).startsWith("event: alive\n");

        publish("order:1");
        assertThat(next(viewer, HOUR)).startsWith("event: change\n").contains("\"spareVotes\":1");
    }

    /** The page then says that its data is old, and must not receive it as fresh when it connects again. */
    @Test
    void next_noReadingForTenSeconds_isNoSignOfLife() throws Exception {
        publish("order:1");
        Viewer viewer = viewer();
        next(viewer, HOUR);
        passSeconds(9);
        assertThat(next(viewer, 0)).startsWith("event: alive\n");

        passSeconds(1);
        assertThat(next(viewer, 0)).isEqualTo(":\n\n");
        assertThat(next(viewer(), 0)).isEqualTo(":\n\n");
        assertThat(feed.overview(0)).isEmpty();
        feed.replace("spareVotes", -1);
        assertThat(next(viewer, 0)).isEqualTo(":\n\n");

        publish("order:1");
        assertThat(next(viewer, HOUR)).startsWith("event: change\n");
        assertThat(next(viewer(), HOUR)).startsWith("event: overview\n");
        assertThat(feed.overview(HOUR)).isPresent();
    }

    @Test
    void next_closed_isEmpty() throws Exception {
        Viewer viewer = viewer();
        feed.close();

        assertThat(viewer.next(HOUR)).isEmpty();
        assertThat(feed.enter(1)).isFalse();
    }

    @Test
    void enter_placesAreTaken_isRefusedUntilOneLeaves() {
        Viewer viewer = viewer();
        assertThat(feed.enter(1)).isFalse();
        assertThat(feed.isWatched()).isTrue();

        viewer.close();
        viewer.close();

        assertThat(feed.isWatched()).isFalse();
        assertThat(feed.enter(1)).isTrue();
        assertThat(feed.enter(1)).isFalse();
    }
}
