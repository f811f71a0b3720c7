package io.holdfast.client;

import io.holdfast.acquire.AcquireResult;
import io.holdfast.lease.ClientDescription;
import io.holdfast.node.LockNode;
import io.holdfast.time.Time;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;

/**
 * Looks up who holds a lock, for the failure of waiters whose limit has ended. The waiters of one lock whose limits end
 * together share one question to each node, and the first node that names the holder answers it.
 *
 * <p>Thread-safe.
 */
final class HolderLookup {

    /** The holder is looked up for a waiter that has waited for so long; a shorter wait ends without another round. */
    private static final Duration NOTICEABLE = Duration.ofSeconds(1);

    /** The failure of a waiter is not delayed for longer. */
    private static final Duration LIMIT = Duration.ofMillis(200);

    private final List<LockNode> nodes;
    private final Time time;
    private final Map<String, CompletableFuture<Optional<ClientDescription>>> asked = new ConcurrentHashMap<>();

    HolderLookup(List<LockNode> nodes, Time time) {
        this.nodes = nodes;
        this.time = time;
    }

    /** Returns a refusal with the holder of the lock, after a long wait. The future never fails. */
    <L> CompletableFuture<AcquireResult.Refused<L>> explained(String resource, AcquireResult.Refused<L> refused) {
        return refused.isByHolder() && refused.waited().compareTo(NOTICEABLE) >= 0
                ? holder(resource)
                        .thenApply(holder -> new AcquireResult.Refused<>(refused.outcome(), refused.waited(), holder))
                : CompletableFuture.completedFuture(refused);
    }

    /** Returns the description of the holder; empty if no node names it in time. The future never fails. */
    CompletableFuture<Optional<ClientDescription>> holder(String resource) {
        CompletableFuture<Optional<ClientDescription>> holder = new CompletableFuture<>();
        CompletableFuture<Optional<ClientDescription>> same = asked.putIfAbsent(resource, holder);
        if (same != null) {
            return same;
        }
        holder.whenComplete((found, none) -> asked.remove(resource, holder));
        try {
            Time.Timer timer = time.schedule(LIMIT, () -> holder.complete(Optional.empty()));
            holder.whenComplete((found, none) -> timer.cancel());
            ask(resource, holder);
        } catch (RuntimeException | Error shortage) {
            holder.complete(Optional.empty());
        }
        return holder;
    }

    private void ask(String resource, CompletableFuture<Optional<ClientDescription>> holder) {
        CompletableFuture<?>[] answers = nodes.stream()
                .map(node ->
                        holderOn(node, resource).thenAccept(found -> found.ifPresent(client -> holder.complete(found))))
                .toArray(CompletableFuture<?>[]::new);
        CompletableFuture.allOf(answers).whenComplete((done, failed) -> holder.complete(Optional.empty()));
    }

    private static CompletableFuture<Optional<ClientDescription>> holderOn(LockNode node, String resource) {
        return node.admin()
                .inspect(resource)
                .thenCompose(status -> status.clients().isEmpty()
                        ? CompletableFuture.completedFuture(Map.<String, ClientDescription>of())
                        : node.admin().clients(status.clients()))
                .thenApply(known -> known.values().stream().findFirst())
                .toCompletableFuture();
    }
}
