package io.holdfast.node.memory;

import io.holdfast.lease.ClientDescription;
import io.holdfast.lease.FenceRules;
import io.holdfast.lease.FencingToken;
import io.holdfast.lease.Owner;
import io.holdfast.node.Claim;
import io.holdfast.node.Diagnosis;
import io.holdfast.node.Diagnosis.Finding;
import io.holdfast.node.NodeAdmin;
import io.holdfast.node.NodeLockStatus;
import io.holdfast.time.Time;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import org.jspecify.annotations.Nullable;

/** The administration of an in-memory node. Answers as a node on Redis does; each stage is complete at once. */
final class InMemoryAdmin implements NodeAdmin {

    private static final Duration NOTE_LIFE = Duration.ofDays(7);
    private static final Duration REMOVAL_LIFE = Duration.ofMinutes(1);
    private static final String SHARED = "shared";

    /** The mark of a note about a removal, in place of that of a holder. */
    private static final String REMOVED = "removed";

    private final InMemoryNode node;
    private final LockTable locks;
    private final Time time;
    private final ExpiringMap<StoredNote> notes = new ExpiringMap<>();

    private final ExpiringMap<ClientDescription> clients = new ExpiringMap<>();

    private record StoredNote(String holder, NodeLockStatus.Note note) {}

    InMemoryAdmin(InMemoryNode node, LockTable locks, Time time) {
        this.node = node;
        this.locks = locks;
        this.time = time;
    }

    @Override
    public CompletionStage<NodeLockStatus> inspect(String resource) {
        synchronized (node) {
            return CompletableFuture.completedFuture(status(resource, node.ownerOf(resource)));
        }
    }

    private NodeLockStatus status(String resource, @Nullable Owner owner) {
        FencingToken fence = node.fence(resource);
        List<NodeLockStatus.Waiter> queue = node.waiters(resource);
        if (owner == null) {
            return new NodeLockStatus("", 0, Duration.ZERO, fence, List.of(), queue, note(resource, REMOVED), false);
        }
        boolean shared = locks.isShared(resource);
        String holder = shared ? SHARED : owner.mark();
        return new NodeLockStatus(
                holder,
                shared ? locks.sharedHolders(resource) : 0,
                node.timeLeft(resource),
                fence,
                locks.clients(resource),
                queue,
                note(resource, holder),
                locks.isRetained(resource));
    }

    /** A note of an earlier holder is not shown. */
    private NodeLockStatus.Note note(String resource, String holder) {
        notes.expire(time.now());
        StoredNote stored = notes.get(resource);
        return stored != null && stored.holder().equals(holder) ? stored.note() : NodeLockStatus.Note.NONE;
    }

    @Override
    public CompletionStage<NamePage> names(String from) {
        List<String> names = node.names();
        return CompletableFuture.completedFuture(new NamePage(names, names.size(), NamePage.START));
    }

    @Override
    public CompletionStage<List<String>> recorded() {
        return CompletableFuture.completedFuture(node.recorded());
    }

    @Override
    public CompletionStage<Boolean> keepListed(String resource) {
        return CompletableFuture.completedFuture(node.names().contains(resource));
    }

    @Override
    public CompletionStage<Boolean> evict(String resource, String text) {
        synchronized (node) {
            NodeLockStatus.Note note = new NodeLockStatus.Note(FencingToken.NONE, text);
            notes.put(resource, new StoredNote(REMOVED, note), time.now(), REMOVAL_LIFE);
            return CompletableFuture.completedFuture(node.evict(resource));
        }
    }

    @Override
    public CompletionStage<Agreement> agreement() {
        return CompletableFuture.completedFuture(node.agreement());
    }

    @Override
    public CompletionStage<Agreement> agree(String mark, Agreement next) {
        return CompletableFuture.completedFuture(node.agree(mark, next));
    }

    @Override
    public CompletionStage<Boolean> annotate(Claim held, String text) {
        synchronized (node) {
            locks.expire(time.now());
            if (!locks.has(held)) {
                return CompletableFuture.completedFuture(false);
            }
            String holder = held.isShared() ? SHARED : held.owner().mark();
            if (text.isEmpty()) {
                notes.remove(held.resource());
            } else {
                NodeLockStatus.Note note = new NodeLockStatus.Note(held.fence(), text);
                notes.put(held.resource(), new StoredNote(holder, note), time.now(), NOTE_LIFE);
            }
        }
        return CompletableFuture.completedFuture(true);
    }

    @Override
    public CompletionStage<Void> describe(String client, ClientDescription description, Duration keep) {
        synchronized (node) {
            clients.put(client, description, time.now(), keep);
        }
        return CompletableFuture.completedFuture(null);
    }

    @Override
    public CompletionStage<Map<String, ClientDescription>> clients(List<String> ids) {
        synchronized (node) {
            clients.expire(time.now());
            Map<String, ClientDescription> known = new LinkedHashMap<>();
            ids.forEach(id -> {
                ClientDescription description = clients.get(id);
                if (description != null) {
                    known.put(id, description);
                }
            });
            return CompletableFuture.completedFuture(known);
        }
    }

    @Override
    public CompletionStage<Diagnosis> examine(Time client) {
        long ours = client.now().wallMicros();
        long theirs = time.now().wallMicros();
        Map<String, Object> facts = new LinkedHashMap<>();
        facts.put("kind", "in memory");
        facts.put("locks", node.names().size());
        facts.put("clockOffsetMillis", Duration.ofNanos(1_000 * (theirs - ours)).toMillis());
        boolean ahead =
                FenceRules.isTooFarAhead(new FencingToken(ours), new FencingToken(theirs).max(node.fenceBound()));
        List<Finding> findings = ahead
                ? List.of(Finding.error(
                        "the clock of this process is more than " + FenceRules.MAX_LEAD.toSeconds()
                                + " s ahead of the node's, so that the node rejects its fencing tokens",
                        "set the clocks of both"))
                : List.of();
        return CompletableFuture.completedFuture(new Diagnosis(facts, findings));
    }

    /** Deletes all notes and descriptions. */
    void clear() {
        notes.clear();
        clients.clear();
    }
}
