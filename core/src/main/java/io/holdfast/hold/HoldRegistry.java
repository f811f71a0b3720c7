package io.holdfast.hold;

import io.holdfast.acquire.Grant;
import io.holdfast.acquire.LocalWaiters;
import io.holdfast.lease.Loss;
import io.holdfast.lease.LossReason;
import io.holdfast.node.Claim;
import io.holdfast.quorum.NodeGroup;
import io.holdfast.quorum.Round;
import io.holdfast.time.Durations;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Queue;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * All holds of one client. Extensions that are due at about the same time are sent together, so that very many leases
 * cost the nodes few commands.
 *
 * <p>Thread-safe.
 */
public final class HoldRegistry {

    /** After any other loss, the nodes keep no lock of the hold, or remove it at once. */
    private static final Set<LossReason> STORED_AFTER = Set.of(LossReason.HOLD_LIMIT, LossReason.QUORUM_UNREACHABLE);

    private final NodeGroup group;
    private final LocalWaiters localWaiters;
    private final HoldListener listener;
    private final SharedTimers timers;
    private final ClockWatch clocks;
    private final Set<Hold> live = ConcurrentHashMap.newKeySet();
    /** The holds that were declared lost while the nodes may still keep their locks. */
    private final Set<Hold> stored = ConcurrentHashMap.newKeySet();

    private final Queue<Due> due = new ConcurrentLinkedQueue<>();
    private volatile boolean closed;

    private record Due(Renewal renewal, Claim extension) {}

    /**
     * Creates an empty registry.
     *
     * @param listener receives the events of all holds
     */
    public HoldRegistry(NodeGroup group, LocalWaiters localWaiters, HoldListener listener) {
        this.group = group;
        this.localWaiters = localWaiters;
        this.listener = listener;
        this.timers = new SharedTimers(group.time(), this::extendDue);
        this.clocks = new ClockWatch(group.time(), () -> !live.isEmpty(), this::resumeAfter);
    }

    /**
     * Begins the hold of a granted lock. If the registry is closed, the hold ends at once.
     *
     * @param renewed whether the hold is extended automatically
     */
    public Hold begin(Grant grant, Duration holdLimit, boolean renewed) {
        Hold hold = new Hold(this, grant, holdLimit);
        live.add(hold);
        try {
            clocks.start();
            hold.begin(renewed);
        } catch (Throwable noTimer) {
            // Its caller decides what becomes of the lock; nothing renews it here.
            hold.move(HoldState::detached);
            throw noTimer;
        }
        if (closed) {
            hold.close();
        }
        return hold;
    }

    /** Returns {@code true} if this client holds no lock. */
    public boolean isEmpty() {
        return live.isEmpty();
    }

    NodeGroup group() {
        return group;
    }

    LocalWaiters localWaiters() {
        return localWaiters;
    }

    SharedTimers timers() {
        return timers;
    }

    /** Removes a hold that was released or lost, with this state. */
    void ended(Hold hold, HoldState last, @Nullable Loss loss) {
        if (loss != null && STORED_AFTER.contains(loss.reason())) {
            // Before it is removed: a client that closes meanwhile finds it in one of both sets.
            stored.add(hold);
            group.time().schedule(last.storedFor(hold.parameters(), group.now()), () -> stored.remove(hold));
        }
        live.remove(hold);
        boolean detached = last.rest() == HoldState.Rest.DETACHED;
        if (loss != null || detached) {
            report(hold, detached, loss);
        }
        localWaiters.ended(hold.claim());
    }

    /** Reports the end of a hold. A release does so itself, before the next waiter can be granted the lock. */
    void report(Hold hold, boolean detached, @Nullable Loss loss) {
        listener.ended(hold.claim(), hold.heldFor(), detached, loss);
    }

    /** Reports the end of an extension of a valid hold. */
    void reportRenewal(Hold hold, boolean confirmed) {
        listener.renewed(hold.claim(), confirmed, hold.remaining());
    }

    /** Adds an extension to the batch that is sent when all extensions due now have been collected. */
    void extendSoon(Renewal renewal, Claim extension) {
        due.add(new Due(renewal, extension));
    }

    /**
     * Extends the holds of a resource by no more than the time that they have left, which shows whether they still
     * exist.
     */
    public void verify(String resource) {
        inOrder(live.stream().filter(hold -> hold.claim().resource().equals(resource)))
                .forEach(hold -> hold.extend(Durations.longer(Duration.ofMillis(1), hold.remaining())));
    }

    /** Fires the timers that should have fired while the machine was suspended: reports losses and sends extensions. */
    private void resumeAfter(Duration suspended) {
        inOrder(live.stream()).forEach(hold -> hold.resumeAfter(suspended));
        extendDue();
    }

    private void extendDue() {
        Map<Duration, List<Due>> groups = new LinkedHashMap<>();
        for (Due next = due.poll(); next != null; next = due.poll()) {
            if (next.renewal().isWanted()) {
                groups.computeIfAbsent(next.renewal().answerLimit(), limit -> new ArrayList<>())
                        .add(next);
            }
        }
        groups.forEach(this::extendTogether);
    }

    private void extendTogether(Duration answerLimit, List<Due> together) {
        List<Claim> extensions = together.stream().map(Due::extension).toList();
        List<Round> rounds = group.askAll(extensions, answerLimit);
        for (int i = 0; i < rounds.size(); i++) {
            together.get(i).renewal().follow(rounds.get(i), extensions.get(i));
        }
    }

    /**
     * Ends all holds, including holds that begin later, and removes the locks of lost ones that the nodes may keep,
     * except those that another process may have attached.
     */
    public void close() {
        closed = true;
        inOrder(live.stream()).forEach(Hold::close);
        inOrder(stored.stream().filter(hold -> !hold.ownerIsKnown)).forEach(Hold::close);
    }

    /**
     * Returns the holds in an order that does not depend on addresses of objects, so that a simulation can be repeated.
     */
    private static List<Hold> inOrder(Stream<Hold> holds) {
        return holds.sorted(Comparator.comparing(
                        Hold::claim, Comparator.comparing(Claim::resource).thenComparing(Claim::fence)))
                .toList();
    }
}
