package io.holdfast.redis.cluster;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.holdfast.node.NodeAdmin.NamePage;
import io.holdfast.node.NodeSettings;
import io.holdfast.node.QuorumConfig;
import io.holdfast.redis.client.FakeConnection;
import io.holdfast.redis.client.RedisReply;
import io.holdfast.redis.connection.DistinctServers;
import io.holdfast.redis.script.ScriptNode;
import io.holdfast.time.VirtualTime;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class ClusterCursorTest {

    private static final NodeSettings SETTINGS =
            new NodeSettings(new QuorumConfig(1, Duration.ofMinutes(1)), false, Duration.ofSeconds(2));

    private final VirtualTime time = new VirtualTime();
    /** The cursor of each request, with the name of its shard. */
    private final List<String> asked = new ArrayList<>();

    /** Returns a shard of this name, whose pages have these cursors of the server, the last one 0. */
    private ScriptNode shard(String name, String... cursors) {
        FakeConnection connection = new FakeConnection(name, command -> {
            String cursor = command.get(1);
            asked.add(name + " " + cursor);
            int page = cursor.equals("0") ? 0 : Arrays.asList(cursors).indexOf(cursor) + 1;
            List<String> keys = List.of("{" + name + "-" + page + "}:holdfast:fence");
            return CompletableFuture.completedFuture(new RedisReply.Value(List.of(cursors[page], keys)));
        });
        return ScriptNode.shard(connection, SETTINGS, new DistinctServers(), time);
    }

    private final List<ScriptNode> shards = List.of(shard("b", "9 x", "0"), shard("a", "0"), shard("c", "5", "7", "0"));

    private static NamePage page(String from, List<ScriptNode> serving) {
        return ClusterCursor.of(from, serving)
                .orElseThrow()
                .page()
                .toCompletableFuture()
                .join();
    }

    @Test
    void page_followedToTheEnd_readsEachPageOfEachShardOnce() {
        List<String> names = new ArrayList<>();
        NamePage page = page(NamePage.START, shards);
        names.addAll(page.names());
        while (!page.isLast()) {
            page = page(page.next(), shards);
            names.addAll(page.names());
        }

        assertThat(names).containsExactly("a-0", "b-0", "b-1", "c-0", "c-1", "c-2");
        assertThat(asked).containsExactly("a 0", "b 0", "b 9 x", "c 0", "c 5", "c 7");
    }

    /** The map of slots names the shards in any order. */
    @Test
    void of_sameShardsInAnotherOrder_isTheSamePlace() {
        String next = page(NamePage.START, shards).next();

        assertThat(page(next, List.of(shards.get(2), shards.get(0), shards.get(1)))
                        .names())
                .containsExactly("b-0");
    }

    @Test
    void of_noShard_isEmpty() {
        assertThat(ClusterCursor.of(NamePage.START, List.of())).isEmpty();
    }

    /** The names of the shard that was added could be missing. */
    @Test
    void of_placeOfOtherShards_isRejected() {
        String next = page(NamePage.START, shards.subList(0, 2)).next();

        assertThatThrownBy(() -> ClusterCursor.of(next, shards))
                .isInstanceOf(IllegalStateException.class)
                .hasMessage("the servers of its slots have changed meanwhile; ask again");
    }

    /** Each is put behind the mark of the shards. */
    @ParameterizedTest
    @ValueSource(strings = {"", " ", " 1", " 3 ", " -1 ", " 99999999999 ", " x ", " 1.0 ", " ١ "})
    void of_damagedPlace_isRejected(String rest) {
        String next = page(NamePage.START, shards).next();
        String damaged = next.substring(0, next.indexOf(' ')) + rest;

        assertThatThrownBy(() -> ClusterCursor.of(damaged, shards))
                .isInstanceOf(IllegalStateException.class)
                .hasMessageContaining("ask again");
    }

    @Test
    void of_cursorOfOneServer_isRejected() {
        assertThatThrownBy(() -> ClusterCursor.of("17", shards)).isInstanceOf(IllegalStateException.class);
    }
}
