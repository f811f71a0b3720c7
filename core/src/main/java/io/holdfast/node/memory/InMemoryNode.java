package io.holdfast.node.memory;

import io.holdfast.lease.FencingToken;
import io.holdfast.lease.Owner;
import io.holdfast.node.Claim;
import io.holdfast.node.LockNode;
import io.holdfast.node.NodeAdmin;
import io.holdfast.node.NodeLockStatus;
import io.holdfast.node.NodeStanding;
import io.holdfast.node.QuarantineProbe;
import io.holdfast.node.QuorumConfig;
import io.holdfast.node.Reply;
import io.holdfast.node.WakeUp;
import io.holdfast.record.RecordStore;
import io.holdfast.time.Time;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.function.Consumer;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * A node in this process: the executable description of what the Redis scripts do, and a double for tests of code that
 * takes locks. Locks expire by the given {@link Time}, whose wall clock is also the node's. The stage of {@link #ask}
 * is complete when it is returned.
 *
 * <p>A test can make the node fail: {@link #restart}, {@link #flush} and {@link #evict(String)}. One node of three that
 * fails costs no lease; two do.
 *
 * <p>Thread-safe if its {@link Time} is. A client connects with {@code Holdfast.forTesting}.
 */
public final class InMemoryNode implements LockNode {

    private final String name;
    private final Time time;
    private final boolean guarded;
    private final LockTable locks = new LockTable();
    private final FenceTable fences = new FenceTable();
    private final Subscriptions inboxes;
    private final WaitQueues queues;
    private final InMemoryAdmin admin;
    private final InMemoryRecords records;
    private final ClaimProcessor claims;
    private int run = 1;

    /** Creates a node that votes at once, also after a restart. */
    public InMemoryNode(String name, Time time) {
        this(name, time, false);
    }

    private InMemoryNode(String name, Time time, boolean guarded) {
        this.name = name;
        this.time = time;
        this.inboxes = new Subscriptions(time::execute);
        this.queues = new WaitQueues(inboxes);
        this.claims = new ClaimProcessor(locks, fences, queues);
        this.admin = new InMemoryAdmin(this, locks, time);
        this.records = new InMemoryRecords(this, fences, time);
        this.guarded = guarded;
    }

    /** Creates a node that begins in quarantine, and is in quarantine again after a restart. */
    public static InMemoryNode guarded(String name, Time time) {
        return new InMemoryNode(name, time, true);
    }

    @Override
    public String name() {
        return name;
    }

    /** Carries out a claim of a client that states no configuration, which is accepted always. */
    @Override
    public CompletionStage<Reply> ask(Claim claim) {
        return ask(claim, null);
    }

    /** Carries out a claim of a client with this configuration; null: it states none. */
    public synchronized CompletionStage<Reply> ask(Claim claim, @Nullable QuorumConfig client) {
        ClaimProcessor.Sender sender = new ClaimProcessor.Sender(run, client);
        return CompletableFuture.completedFuture(claims.reply(claim, sender, votes(), time.now()));
    }

    @Override
    public synchronized CompletionStage<NodeStanding> probe(QuarantineProbe probe) {
        NodeMarker marker = fences.marker();
        if (guarded) {
            marker = marker.probed(probe, run, time.now().wallMicros());
            if (!probe.isReadOnly()) {
                fences.marker(marker);
            }
        }
        return CompletableFuture.completedFuture(marker.standing(probe, guarded));
    }

    synchronized NodeAdmin.Agreement agreement() {
        return fences.marker().agreement();
    }

    synchronized NodeAdmin.Agreement agree(String mark, NodeAdmin.Agreement next) {
        if (agreement().mark().equals(mark)) {
            fences.marker(fences.marker().agreed(next));
        }
        return agreement();
    }

    /** Ends and starts the node; without its memory it has lost its locks, its fences and its marker. */
    public synchronized void restart(boolean keepsMemory) {
        run++;
        if (!keepsMemory) {
            flush();
        }
    }

    /** Deletes everything, as {@code FLUSHALL} does. */
    public synchronized void flush() {
        locks.clear();
        fences.clear();
        queues.clear();
        admin.clear();
        records.clear();
    }

    @Override
    public synchronized void listen(String inbox, Consumer<WakeUp> consumer) {
        inboxes.subscribe(inbox, consumer);
    }

    /** Ends the notifications to an inbox, as when the connection of its client ends. */
    public synchronized void unlisten(String inbox) {
        inboxes.unsubscribe(inbox);
    }

    @Override
    public boolean canNotify() {
        return true;
    }

    /** Returns the administration of this node. It answers also while the node is in quarantine. */
    @Override
    public NodeAdmin admin() {
        return admin;
    }

    @Override
    public RecordStore records() {
        return records;
    }

    /** Adds an observer of the standing claims that the node carries out, which must not call the node. */
    public synchronized void onStandingGrant(Consumer<Claim> observer) {
        claims.onStandingGrant(observer);
    }

    /**
     * Returns the queue entries of the clients that wait for the resource, the next one first: inboxes, with {@code ~}
     * before a shared waiter.
     */
    public synchronized List<String> waitQueue(String resource) {
        return queues.entries(resource, time.now()).stream()
                .map(QueueEntry::name)
                .toList();
    }

    synchronized List<NodeLockStatus.Waiter> waiters(String resource) {
        return queues.entries(resource, time.now()).stream()
                .map(entry -> NodeLockStatus.Waiter.of(entry.name(), entry.number()))
                .toList();
    }

    /**
     * Returns the inbox of the waiter for which the free resource is reserved, several with blanks between them; or
     * null.
     */
    public synchronized @Nullable String reservedFor(String resource) {
        return queues.reservedFor(resource, time.now());
    }

    /**
     * Returns the present owner of the resource, an owner that no attempt has if it is held shared, or null if it is
     * free.
     */
    public synchronized @Nullable Owner ownerOf(String resource) {
        locks.expire(time.now());
        return locks.of(resource);
    }

    /** Returns the time for which the lock on the resource lasts unless it is extended; zero if it is free. */
    public synchronized Duration timeLeft(String resource) {
        locks.expire(time.now());
        return locks.left(resource, time.now());
    }

    /** Returns {@code true} if this owner holds the resource exclusively. */
    public synchronized boolean isHeldBy(@Nullable Owner owner, String resource) {
        return owner != null && owner.equals(ownerOf(resource)) && !locks.isShared(resource);
    }

    /**
     * Removes one lock and keeps everything else, as an administrator does who deletes its key. Returns {@code true} if
     * it was held.
     */
    public synchronized boolean evict(String resource) {
        boolean held = ownerOf(resource) != null;
        locks.drop(resource);
        return held;
    }

    /** Removes all locks and keeps everything else, as a server does that evicts keys. */
    public synchronized void evict() {
        locks.clear();
    }

    /** Returns {@code true} if the node is out of quarantine. */
    public synchronized boolean votes() {
        return !guarded || (fences.marker().run() == run && fences.marker().admitted());
    }

    /** Returns the greatest fence that is rejected for the resource: a claim needs a fence above it. */
    public synchronized FencingToken rejectsUpTo(String resource) {
        fences.expire(time.now());
        return fences.rejectsUpTo(resource, time.now());
    }

    /**
     * Returns the fence that was accepted last for the resource, {@link FencingToken#NONE} if the node does not know
     * it.
     */
    public synchronized FencingToken fence(String resource) {
        fences.expire(time.now());
        return fences.accepted(resource);
    }

    /**
     * Returns a bound: no fence that the node has accepted for any resource, or may have accepted in an earlier run, is
     * above it.
     */
    public synchronized FencingToken fenceBound() {
        return fences.marker().fences().fenceBound();
    }

    /** Returns the resources that are locked, or were locked in the last half hour, in no order. */
    synchronized List<String> names() {
        fences.expire(time.now());
        locks.expire(time.now());
        return Stream.concat(fences.resources().stream(), locks.resources().stream())
                .distinct()
                .toList();
    }

    /** Returns the resources that have a record, in no order. */
    synchronized List<String> recorded() {
        return records.names();
    }

    /** Returns the number of resources whose fences the node knows. */
    public synchronized int fenceCount() {
        fences.expire(time.now());
        return fences.resources().size();
    }

    @Override
    public void close() {}
}
