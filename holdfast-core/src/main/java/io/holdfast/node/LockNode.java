package io.holdfast.node;

import java.util.concurrent.CompletionStage;

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

    /** Looks at the node, and helps it out of its quarantine. The stage behaves as that of {@link #ask}. */
    CompletionStage<Membership> watch(Watch watch);

    /** Frees the connection. Claims under way complete as failed. Has no effect the second time. */
    @Override
    void close();
}
