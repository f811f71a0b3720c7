package io.holdfast.node;

import io.holdfast.lease.ClientDescription;
import io.holdfast.lease.FencingToken;
import io.holdfast.time.ThreadWait;
import io.holdfast.time.Time;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import org.jspecify.annotations.Nullable;

/**
 * The operations of a node for an administrator. Each stage completes in the end; the caller sets its own deadline. A
 * stage fails with an exception whose message gives the reason in one line: an {@link IllegalStateException} if the
 * node does not support the operation.
 *
 * <p>Implementations are thread-safe and do not block the caller.
 */
public interface NodeAdmin {

    /** The {@linkplain #marks mark} of a lock that is free and for which no client waits. */
    int FREE = 0;

    /** The {@linkplain #marks mark} of a lock that the node cannot read. A lock in use has an odd one. */
    int UNKNOWN = Integer.MIN_VALUE;

    /** Returns the state of one lock. */
    default CompletionStage<NodeLockStatus> inspect(String resource) {
        return unable();
    }

    /**
     * Reads one page of the names of the locks that the node knows, in no particular order. A free lock may be among
     * them, and a name may be repeated.
     *
     * @param from {@link NamePage#START}, or where the previous page ends
     */
    default CompletionStage<NamePage> names(String from) {
        return unable();
    }

    /**
     * A part of the names of a node.
     *
     * @param names the names, possibly none
     * @param keys about how many keys of the node were read for them
     * @param next where the next page begins; {@link #START} if no name is left
     */
    record NamePage(List<String> names, long keys, String next) {

        /** The beginning of the first page. */
        public static final String START = "";

        /** Creates a page. */
        public NamePage {
            names = List.copyOf(names);
        }

        /** Returns {@code true} if no name is left. */
        public boolean isLast() {
            return next.equals(START);
        }
    }

    /**
     * Returns a mark of each of these locks, in order, which costs a node far less than {@link #inspect}. The mark
     * becomes another one when the lock gets another holder, or its wait queue changes; it may do so for no reason. It
     * is {@link #FREE} if the lock is free and no client waits. The holders of a shared lock have one mark.
     */
    default CompletionStage<List<Integer>> marks(List<String> resources) {
        List<CompletableFuture<NodeLockStatus>> states = resources.stream()
                .map(resource -> inspect(resource).toCompletableFuture())
                .toList();
        return CompletableFuture.allOf(states.toArray(CompletableFuture<?>[]::new))
                .thenApply(done -> states.stream()
                        .map(ThreadWait::resultOf)
                        .map(NodeAdmin::mark)
                        .toList());
    }

    private static int mark(NodeLockStatus state) {
        return state.isHeld() || !state.queue().isEmpty() ? Objects.hash(state.holder(), state.queue()) | 1 : FREE;
    }

    /**
     * Reads the names of the locks that have a record beside them, in no particular order. A name whose record has
     * ended may be among them.
     */
    default CompletionStage<List<String>> recorded() {
        return unable();
    }

    /**
     * Keeps the name of a held lock among the {@linkplain #names names}. A node may drop it half an hour after the
     * acquisition, so holders call this every ten minutes. The result is {@code true} if the node knows the name.
     */
    default CompletionStage<Boolean> keepListed(String resource) {
        return unable();
    }

    /**
     * Removes the lock from its holder. The result is {@code true} if the lock was held.
     *
     * @param note a note about the removal, which {@link #inspect} returns for a minute while the lock is free; empty
     *     for none
     */
    default CompletionStage<Boolean> evict(String resource, String note) {
        return unable();
    }

    /**
     * Stores a note about the holder of the claim, which {@link #inspect} returns, if this node has the lock for that
     * claim. An empty text deletes the note. The result is {@code false} if the node has no such lock.
     */
    default CompletionStage<Boolean> annotate(Claim held, String text) {
        return unable();
    }

    /**
     * Stores what a client says about itself, which {@link #clients} returns.
     *
     * @param client the id of the client
     * @param keep the time to live of the description, at least 1 ms
     */
    default CompletionStage<Void> describe(String client, ClientDescription description, Duration keep) {
        return unable();
    }

    /** Returns what these clients say about themselves, by id, without those of which the node knows nothing. */
    default CompletionStage<Map<String, ClientDescription>> clients(List<String> ids) {
        return unable();
    }

    /** Returns which clients the node accepts. */
    default CompletionStage<Agreement> agreement() {
        return unable();
    }

    /**
     * Changes which clients the node accepts from now on, unless another administrator has done so since.
     *
     * @param mark that of the agreement that was read
     * @param next its configuration, null for the present one, and its mark; all later fences are above its fence
     * @return what the node has agreed on now: the next one if it was changed
     */
    default CompletionStage<Agreement> agree(String mark, Agreement next) {
        return unable();
    }

    /**
     * Which clients a node accepts.
     *
     * @param config the configuration of its set; null: none yet, so it accepts all
     * @param mark names the last step of a change of the nodes: its number, a colon, the name of the change, a slash,
     *     and a text that no other mark has. Before a first step it is empty, or a slash and the text
     * @param fence an upper bound of the fences that the node has accepted, for all resources
     */
    record Agreement(@Nullable QuorumConfig config, String mark, FencingToken fence) {}

    /**
     * Examines whether the node is fit to vote. Takes about a second.
     *
     * @param time the clocks of this process, which are compared with the node's clock
     */
    default CompletionStage<Diagnosis> examine(Time time) {
        return CompletableFuture.completedFuture(new Diagnosis(Map.of(), List.of()));
    }

    private static <T> CompletionStage<T> unable() {
        return CompletableFuture.failedFuture(new IllegalStateException("a node of this kind does not support this"));
    }
}
