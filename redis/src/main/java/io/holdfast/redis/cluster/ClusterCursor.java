package io.holdfast.redis.cluster;

import io.holdfast.node.NodeAdmin.NamePage;
import io.holdfast.redis.script.ScriptNode;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletionStage;

/**
 * A place in the names of all shards of a cluster, which are read one after the other.
 *
 * @param shards all shards, in the order of their addresses; at least one
 * @param shard the index of the one whose names are read
 * @param from where its next page begins
 */
record ClusterCursor(List<ScriptNode> shards, int shard, String from) {

    private static final String SEPARATOR = " ";
    private static final int PARTS = 3;

    /**
     * Returns the first place of these shards, or the place with this text; empty without shards.
     *
     * @throws IllegalStateException if the text is a place of other shards: the names of one could be missing
     */
    static Optional<ClusterCursor> of(String text, List<ScriptNode> serving) {
        List<ScriptNode> shards =
                serving.stream().sorted(Comparator.comparing(ScriptNode::name)).toList();
        if (shards.isEmpty()) {
            return Optional.empty();
        } else if (text.equals(NamePage.START)) {
            return Optional.of(new ClusterCursor(shards, 0, NamePage.START));
        }
        String[] parts = text.split(SEPARATOR, PARTS);
        if (!parts[0].equals(mark(shards))) {
            throw new IllegalStateException("the servers of its slots have changed meanwhile; ask again");
        }
        return Optional.of(new ClusterCursor(shards, Integer.parseInt(parts[1]), parts[2]));
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
            return text(shard, page.next());
        }
        return shard + 1 < shards.size() ? text(shard + 1, NamePage.START) : NamePage.START;
    }

    private String text(int index, String cursor) {
        return String.join(SEPARATOR, mark(shards), Integer.toString(index), cursor);
    }

    private static String mark(List<ScriptNode> shards) {
        return Integer.toHexString(
                shards.stream().map(ScriptNode::name).toList().hashCode());
    }
}
