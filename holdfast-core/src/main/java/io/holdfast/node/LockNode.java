package io.holdfast.node;

import java.util.List;
import java.util.concurrent.CompletionStage;
import java.util.function.Consumer;

/**
 * One vote: an independent Redis or Valkey master, or one Cluster or Sentinel deployment.
 *
 * <p>Implementations are thread-safe, do not block the caller, and run claims of one resource in the order in which they
 * were asked wherever the client allows it.
 */
public interface LockNode extends AutoCloseable {

    /** How the node is called in messages; carries no password. */
    String name();

    /**
     * Asks the node. The stage never completes exceptionally: whatever goes wrong is a {@link Reply.Failed}. It completes
     * in the end, also when the node hangs, but the caller sets its own, shorter deadline. It may complete on any thread,
     * and what depends on it must not block.
     */
    CompletionStage<Reply> ask(Claim claim);

    /**
     * Asks for many at once, which may cost the node less than one after another. The stages are in the order of the claims, and
     * each behaves as that of {@link #ask}.
     */
    default List<? extends CompletionStage<Reply>> askAll(List<Claim> claims) {
        return claims.stream().map(this::ask).toList();
    }

    /** Looks at the node, and helps it out of its quarantine. The stage behaves as that of {@link #ask}. */
    CompletionStage<NodeStanding> probe(QuarantineProbe probe);

    /**
     * From now on the consumer is told what the node sends to this inbox, on a thread that must not be blocked. What the node
     * sends while there is no connection is lost. A node of which {@link #canNotify} is never true need not override it.
     *
     * @param inbox the name of this client's inbox, the same on all nodes
     */
    default void listen(String inbox, Consumer<WakeUp> consumer) {}

    /** Whether, over the present connection, the node tells this client what is sent to its inbox. */
    default boolean canNotify() {
        return false;
    }

    /** The condition of the node as this client knows it, without a round trip. */
    default NodeStatus status() {
        return NodeStatus.voting(name());
    }

    /** What can be asked beside votes. */
    default NodeAdmin admin() {
        return new NodeAdmin() {};
    }

    /** Frees the connection. Claims under way complete as failed. Has no effect the second time. */
    @Override
    void close();
}
