package io.holdfast;

import io.holdfast.client.ClientLock;
import io.holdfast.client.LockClient;
import io.holdfast.hold.Hold;
import io.holdfast.node.Claim;
import io.holdfast.quorum.RecordRound;
import io.holdfast.record.LockRecord;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executor;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;

/**
 * The record beside a lock, as its holder reads and writes it: a short text that this holder leaves on the nodes for
 * the next one, such as when a job ran last. {@link Lease#record} returns one.
 *
 * <p>A text that {@link #write} has confirmed before the lock is released is not missed by the next holder, whatever
 * nodes are restarted: {@link #read} either finds it, or states a later time since when nothing is missing. It is lost
 * when every node that had it has forgotten it. Nodes without persistence forget it when they are restarted, and
 * receive it again from the next {@link #write}.
 *
 * <p>A record belongs to exclusive leases: holders of a shared lock would overwrite each other's texts. Under a shared
 * lease, also after a downgrade, {@link #write} writes nothing and returns {@code false}.
 *
 * <p>Thread-safe. {@link #read} and {@link #write} block for one round, at most for the node timeout. {@link
 * #readAsync} and {@link #writeAsync} do the same without blocking.
 */
public final class HeldRecord extends ClientLock<HeldRecord> {

    /** The longest time to live of a record. */
    public static final Duration MAX_KEEP = Duration.ofDays(800);

    private static final Duration SHORTEST_KEEP = Duration.ofMillis(1);

    private final Hold hold;
    private final LockClient client;
    private final Executor delivery;
    private final AtomicInteger revisions = new AtomicInteger();
    private volatile @Nullable LockRecord known;

    HeldRecord(Hold hold, LockClient client) {
        this(hold, client, client::execute);
    }

    private HeldRecord(Hold hold, LockClient client, Executor delivery) {
        super(client, other -> new HeldRecord(hold, client, other));
        this.hold = hold;
        this.client = client;
        this.delivery = delivery;
    }

    /**
     * Reads the record from all nodes. The newest one counts, by fencing token. Throws nothing if too few nodes answer
     * or the lease has ended.
     *
     * @return the record, possibly none. If it {@linkplain LockRecord#isCompleteSince is complete} since a time, no
     *     text that was confirmed since then is missing. If it {@linkplain LockRecord#isLatest is the latest}, it
     *     cannot become more complete
     */
    public LockRecord read() {
        return Blocking.join(client.time(), request());
    }

    /**
     * Reads the record from all nodes without blocking; see {@link #read}.
     *
     * @return a future that never fails while the {@code Holdfast} is open. It completes on the {@linkplain
     *     HoldfastOptions#callbackExecutor callback executor}; to cancel it has no effect on this object
     */
    public CompletableFuture<LockRecord> readAsync() {
        return client.delivered(request(), delivery);
    }

    private CompletableFuture<LockRecord> request() {
        return RecordRound.read(client.nodes(), hold.claim().resource(), timeout())
                .thenApply(this::onRead);
    }

    private LockRecord onRead(LockRecord read) {
        if (read.fence().equals(hold.claim().fence())) {
            revisions.accumulateAndGet(read.revision(), Math::max);
        }
        known = read;
        return read;
    }

    /**
     * Writes the record on all nodes, in place of the one that was read. A node refuses it once a later holder has
     * written. May be called again; the last text counts, also where an earlier one arrives later. One object at a time
     * writes under a lease.
     *
     * @param text at most {@link LockRecord#MAX_LENGTH} characters
     * @param keep how long the nodes keep it, from 1 ms to {@link #MAX_KEEP}
     * @return {@code true} if a majority of the nodes has confirmed it; {@code false} if too few have. Also {@code
     *     false}, and nothing was sent, if the last {@link #read} was {@linkplain LockRecord#NEVER never} complete or
     *     if the lease is shared
     * @throws IllegalArgumentException if the text is too long, or the duration out of range
     * @throws IllegalStateException if this object has not read the record before
     */
    public boolean write(String text, Duration keep) {
        return Blocking.join(client.time(), store(text, keep));
    }

    /**
     * Writes the record on all nodes without blocking; see {@link #write}. Its exceptions are thrown by this call, not
     * by the future.
     *
     * @return a future of the result of {@link #write}, as that of {@link #readAsync}
     * @throws IllegalArgumentException if the text is too long, or the duration out of range
     * @throws IllegalStateException if this object has not read the record before
     */
    public CompletableFuture<Boolean> writeAsync(String text, Duration keep) {
        return client.delivered(store(text, keep), delivery);
    }

    private CompletableFuture<Boolean> store(String text, Duration keep) {
        LockRecord before = known;
        if (before == null) {
            throw new IllegalStateException("The record was not read; read it first, since the new one replaces it");
        }
        OptionChecks.that(
                OptionChecks.given("keep", keep).compareTo(SHORTEST_KEEP) >= 0 && keep.compareTo(MAX_KEEP) <= 0,
                "keep",
                keep,
                "is not between 1 ms and " + MAX_KEEP,
                "give a time for which the text is of use");
        LockRecord next =
                new LockRecord(text, hold.claim().fence(), before.completeSince(), revisions.incrementAndGet());
        boolean mayWrite = !before.completeSince().equals(LockRecord.NEVER)
                && !hold.claim().isShared();
        return mayWrite ? write(next, keep) : CompletableFuture.completedFuture(false);
    }

    private CompletableFuture<Boolean> write(LockRecord next, Duration keep) {
        Claim held = hold.claim();
        return RecordRound.write(client.nodes(), held.resource(), held.owner(), next, keep, timeout());
    }

    private Duration timeout() {
        return hold.parameters().nodeTimeout();
    }
}
