package io.holdfast.console.view;

import io.holdfast.admin.LockStatus;
import io.holdfast.admin.LockWatch.ObservedLock;
import io.holdfast.console.json.Json;
import io.holdfast.console.view.LockHold.Ended;
import io.holdfast.node.NodeLockStatus;
import io.holdfast.time.Moment;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** One lock: its last state, its present hold and those before. Used under the lock of its table. */
final class LockRow {

    /** The time for which a loss is shown. */
    private static final long LOSS_MILLIS = 10_000;

    private static final long NANOS = 1_000_000;

    /** The life of a note about a removal. */
    private static final long NOTE_MILLIS = 60_000;

    private static final int MOST_ENDED = 200;

    /** The most waiters of a row. */
    private static final int MOST_WAITERS = 100;

    private final Deque<Ended> ended = new ArrayDeque<>();
    private LockStatus status;
    private @Nullable LockHold hold;
    /** The note that the free lock had when it was seen last; null if it was never seen to be free. */
    private @Nullable String freeNote;

    /** The present holder if an administrator is about to end it, by way of this console; empty: none. */
    private String broken = "";

    private long lossNanos;
    private Map<String, Object> fields = Map.of();

    LockRow(LockStatus status) {
        this.status = status;
    }

    /**
     * Takes over a state of the lock.
     *
     * @param isGap whether there was no viewer for a while, so that the end of a hold was not seen
     */
    void observe(ObservedLock lock, boolean isGap, Moment at) {
        long now = at.wallMicros() / 1_000;
        status = lock.status();
        if (status.held().isEmpty() && (!status.isQuorum() || status.isHeldSomewhere())) {
            return;
        }
        Optional<LockHold> next =
                status.held().filter(held -> !held.retained()).map(held -> LockHold.of(status, held, lock.read(), now));
        LockHold before = hold;
        if (before == null) {
            hold = next.orElse(null);
        } else if (next.filter(same -> same.holder().equals(before.holder())).isPresent()) {
            hold = before.updated(next.get());
        } else {
            boolean isRetained = status.held().filter(NodeLockStatus::retained).isPresent();
            LockHold.End unseen = isGap ? LockHold.End.UNKNOWN : LockHold.End.RELEASED;
            boolean isBroken = before.holder().equals(broken);
            end(
                    !isBroken && (isGap || isRetained)
                            ? new Ended(before, now, unseen)
                            : before.ended(next, isBroken || isRemoved(before, now), at),
                    at);
            hold = next.orElse(null);
        }
        if (!status.isHeldSomewhere()) {
            freeNote = status.removalNote();
        }
    }

    /**
     * Notes that this holder is about to lose the lock, by an administrator; empty: that none does. A reading that
     * began before that still shows the holder, and on a slow machine the next one may come late.
     */
    void breaking(String holder) {
        broken = holder;
    }

    private void end(Ended last, Moment at) {
        broken = "";
        lossNanos = at.nanos();
        ended.add(last);
        if (ended.size() > MOST_ENDED) {
            ended.remove();
        }
    }

    /**
     * Returns whether an administrator has removed the lock from this holder. A node keeps the note for a minute, so it
     * may be about an earlier holder.
     */
    private boolean isRemoved(LockHold last, long now) {
        String note = status.removalNote();
        boolean isNew = freeNote != null && !freeNote.equals(note);
        return !note.isEmpty() && (isNew || now - last.from() > NOTE_MILLIS);
    }

    private Optional<Ended> loss(Moment now) {
        return Optional.ofNullable(ended.peekLast())
                .filter(last -> last.end().isLoss() && now.nanos() - lossNanos < LOSS_MILLIS * NANOS);
    }

    /** Returns {@code true} if the lock is shown: it is in use, or was lost a short time ago. */
    boolean isShown(Moment now) {
        return !status.isQuorum()
                || status.isHeldSomewhere()
                || !status.queue().isEmpty()
                || loss(now).isPresent();
    }

    /** Returns the fields of the row, the same object as the last time if none has changed. */
    Map<String, Object> fields(Moment now) {
        Map<String, Object> row = Json.fields("name", status.resource(), "state", state(), "clients", List.of());
        status.held().ifPresent(held -> putHeld(row, held));
        row.put(
                "queue",
                status.queue().stream()
                        .limit(MOST_WAITERS)
                        .map(waiter -> Clients.fields(waiter, status.clients().get(waiter.client())))
                        .toList());
        if (status.queue().size() > MOST_WAITERS) {
            row.put("waiting", status.queue().size());
        }
        loss(now).ifPresent(last -> row.put("lost", last.lost()));
        if (!row.equals(fields)) {
            fields = row;
        }
        return fields;
    }

    private void putHeld(Map<String, Object> row, NodeLockStatus held) {
        row.put("holder", held.holder());
        row.put(
                "clients",
                held.clients().stream()
                        .limit(MOST_WAITERS)
                        .map(id -> Clients.fields(id, status.clients().get(id)))
                        .toList());
        row.put("note", held.note().text());
        if (hold != null) {
            row.put("token", Long.toString(hold.token()));
            row.put("freeAt", hold.freeAt());
            row.put("leaseMillis", hold.leaseMillis());
            row.put("heldSince", hold.from());
        }
    }

    private String state() {
        return status.held()
                .map(held -> held.retained() ? "retained" : held.shares() > 0 ? "shared" : "held")
                .orElse(!status.isQuorum() ? "unknown" : status.isHeldSomewhere() ? "disputed" : "free");
    }

    /** Returns how many holds are kept. */
    int pastHolds() {
        return ended.size();
    }

    /** Returns the holds that were seen, the newest one last. */
    List<Map<String, Object>> history() {
        return ended.stream().map(Ended::fields).toList();
    }
}
