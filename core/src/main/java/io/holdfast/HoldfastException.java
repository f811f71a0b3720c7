package io.holdfast;

import io.holdfast.acquire.AcquireResult;
import io.holdfast.node.Reply;
import io.holdfast.node.ResourceName;
import io.holdfast.quorum.Outcome;
import io.holdfast.quorum.Vote;
import java.io.Serializable;
import java.util.List;
import java.util.concurrent.CompletionException;
import java.util.concurrent.ExecutionException;

/**
 * The common type of all failures of this library: contention until a limit, too few nodes, a lost lease. Unchecked and
 * serializable. A method that fails otherwise throws {@link IllegalArgumentException} for a bad value, {@link
 * IllegalStateException} for a closed client, or {@link InterruptedException}.
 */
public abstract sealed class HoldfastException extends RuntimeException
        permits LockTimeoutException, QuorumUnreachableException, LeaseLostException {

    private static final long serialVersionUID = 1L;

    private final String resource;

    HoldfastException(String resource, String message) {
        super(ResourceName.printable(message));
        this.resource = resource;
    }

    /** Returns the failure of an acquisition that was refused. */
    static HoldfastException of(AcquireResult.Refused<?> refused, String name) {
        Outcome outcome = refused.outcome();
        return outcome == null || refused.isByHolder()
                ? new LockTimeoutException(name, outcome, refused.waited(), refused.holder())
                : new QuorumUnreachableException(name, outcome, refused.waited());
    }

    /** Returns the name of the lock. */
    public final String resource() {
        return resource;
    }

    /**
     * Returns the failure of a future in the form that the blocking methods throw: a {@code HoldfastException} with the
     * stack trace of the calling thread, which shows where the failure was waited for.
     *
     * <pre>{@code
     * try {
     *     lease = lock.acquireAsync().get();
     * } catch (ExecutionException e) {
     *     throw HoldfastException.from(e);
     * }
     * }</pre>
     *
     * @param wrapper as {@code Future.get} throws it
     * @return the cause if it is unchecked; otherwise an {@link IllegalStateException} whose cause is the wrapper
     */
    public static RuntimeException from(ExecutionException wrapper) {
        return unwrap(wrapper);
    }

    /**
     * Returns the failure of a future in the form that the blocking methods throw; see {@link
     * #from(ExecutionException)}.
     *
     * @param wrapper as {@code CompletableFuture.join} throws it
     * @return the cause if it is unchecked; otherwise an {@link IllegalStateException} whose cause is the wrapper
     */
    public static RuntimeException from(CompletionException wrapper) {
        return unwrap(wrapper);
    }

    private static RuntimeException unwrap(Exception wrapper) {
        Throwable cause = wrapper.getCause();
        if (cause instanceof HoldfastException failure) {
            failure.setStackTrace(Thread.currentThread().getStackTrace());
        }
        return cause instanceof RuntimeException failure ? failure : new IllegalStateException(wrapper);
    }

    /**
     * The last reply of one node to an acquisition that failed, for a diagnosis.
     *
     * @param node the name of the node
     * @param kind whether the node has voted, and if not, what can be done about it
     * @param text the reply in one line
     */
    public record NodeReply(String node, Kind kind, String text) implements Serializable {

        /** The kinds of replies, by what can be done about a missing vote. */
        public enum Kind {
            /** The node has voted, for the acquisition or against it. */
            VOTED,
            /** The node may have forgotten locks. It votes again after a time, while a client is connected to it. */
            QUARANTINED,
            /** The node is connected, and has not answered in time. */
            SILENT,
            /** The node is not connected, or the connection has failed. */
            NOT_CONNECTED,
            /** The node cannot be used until an administrator changes something, such as a password or a right. */
            UNFIT
        }

        static List<NodeReply> of(List<Vote> votes) {
            return votes.stream().map(NodeReply::of).toList();
        }

        private static NodeReply of(Vote vote) {
            return new NodeReply(vote.node(), kind(vote.reply()), vote.text());
        }

        private static Kind kind(Reply reply) {
            if (reply instanceof Reply.Failed failed) {
                return failed.lasting() ? Kind.UNFIT : failed.mayBeCarriedOut() ? Kind.SILENT : Kind.NOT_CONNECTED;
            }
            return reply instanceof Reply.Quarantined ? Kind.QUARANTINED : Kind.VOTED;
        }

        /** Returns the name of the node and its reply. */
        @Override
        public String toString() {
            return node + ": " + text;
        }
    }
}
