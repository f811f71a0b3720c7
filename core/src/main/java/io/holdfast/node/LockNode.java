package io.holdfast.node;

import io.holdfast.record.RecordStore;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.function.Consumer;

/**
 * A node, which has one vote: an independent Redis or Valkey master, or one Cluster or Sentinel deployment.
 *
 * <p>Implementations are thread-safe and do not block the caller. They run the claims of one resource in the order of
 * the calls wherever the client allows it.
 */
public interface LockNode extends AutoCloseable {

    /** Returns the name of the node for messages, without a password. */
    String name();

    /**
     * Sends a claim to the node. The stage never completes exceptionally: every failure is a {@link Reply.Failed}. The
     * stage completes in the end, even if the node hangs; callers set their own, shorter deadline. It may complete on
     * any thread, so dependent stages must not block.
     */
    CompletionStage<Reply> ask(Claim claim);

    /**
     * Sends many claims at once, which may cost the node less than one after another. Returns one stage for each claim,
     * in their order; each behaves as that of {@link #ask}.
     */
    default List<? extends CompletionStage<Reply>> askAll(List<Claim> claims) {
        return claims.stream().map(this::ask).toList();
    }

    /**
     * Reads whether the node votes, and adds observed time to its quarantine. The stage never completes exceptionally:
     * a failure is {@link NodeStanding.Unknown}. It may complete on any thread, so dependent stages must not block.
     */
    CompletionStage<NodeStanding> probe(QuarantineProbe probe);

    /**
     * Subscribes to the wake-up notifications that the node sends to an inbox. Notifications that are sent while there
     * is no connection are lost. A node whose {@link #canNotify} is never true need not override this method.
     *
     * @param inbox the name of this client's inbox, the same on all nodes
     * @param consumer called for each notification, on a thread that must not be blocked
     */
    default void listen(String inbox, Consumer<WakeUp> consumer) {}

    /** Returns {@code true} if notifications to this client's inbox arrive over the present connection. */
    default boolean canNotify() {
        return false;
    }

    /** Returns the condition of the node as this client knows it, without a round trip. */
    default NodeStatus status() {
        return NodeStatus.voting(name());
    }

    /** Returns the operations for an administrator. The default supports none of them. */
    default NodeAdmin admin() {
        return new NodeAdmin() {};
    }

    /** Returns the records beside the locks. The default stores none. */
    default RecordStore records() {
        return RecordStore.NONE;
    }

    /** Closes the connection. Pending claims complete as {@link Reply.Failed}. A second call has no effect. */
    @Override
    void close();

    /**
     * Completes when nothing of a closed node is left: no connection, and no thread of a Redis client that serves no
     * other node. The last of these threads may complete the stage itself, and end at once. By default, {@link #close}
     * leaves nothing.
     */
    default CompletionStage<?> freed() {
        return CompletableFuture.completedFuture(null);
    }
}
