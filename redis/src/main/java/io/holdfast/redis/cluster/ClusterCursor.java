package io.holdfast.redis.cluster;

import io.holdfast.node.NodeAdmin.NamePage;
import io.holdfast.redis.script.ScriptNode;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletionStage;
import java.util.stream.IntStream;

/**
 * A place in the names of all shards of a cluster, which are read one after the other.
 *
 * @param shards all shards, in the order of their addresses; at least one
 * @param shard the index of the one whose names are read
 * @param from where its next page begins
 */
record ClusterCursor(List<ScriptNode> shards, int shard, String from) {

    private static final String SEPARATOR = " ";

    /**
     * Returns the first place of these shards, or the place with this text; empty without shards.
     *
     * @throws IllegalStateException if the text is no place of these shards: the names of one could be missing
     */
    static Optional<ClusterCursor> of(String text, List<ScriptNode> serving) {
        List<ScriptNode> shards =
                serving.stream().sorted(Comparator.comparing(ScriptNode::name)).toList();
        if (shards.isEmpty()) {
            return Optional.empty();
        } else if (text.equals(NamePage.START)) {
            return Optional.of(new ClusterCursor(shards, 0, NamePage.START));
        }
        return Optional.of(IntStream.range(0, shards.size())
                .mapToObj(index -> new ClusterCursor(shards, index, NamePage.START))
                .filter(first -> text.startsWith(first.text()))
                .map(first -> new ClusterCursor(
                        shards, first.shard, text.substring(first.text().length())))
                .findFirst()
                .orElseThrow(
                        () -> new IllegalStateException("the servers of its slots have changed meanwhile; ask again")));
    }

    /** Reads the page at this place. */
    CompletionStage<NamePage> page() {
        return shards.get(shard)
                .admin()
                .names(from)
                .thenApply(page -> new NamePage(page.names(), page.keys(), following(page)));
    }

    private String following(NamePage page) {
        if (!page.isLast()) {
            return new ClusterCursor(shards, shard, page.next()).text();
        }
        boolean isEnd = shard + 1 == shards.size();
        return isEnd ? NamePage.START : new ClusterCursor(shards, shard + 1, NamePage.START).text();
    }

    /** Returns a mark of all shards, the index of this one, and its cursor. */
    private String text() {
        int mark = shards.stream().map(ScriptNode::name).toList().hashCode();
        return String.join(SEPARATOR, Integer.toHexString(mark), Integer.toString(shard), from);
    }
}
