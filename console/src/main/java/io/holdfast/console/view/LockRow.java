package io.holdfast.console.view;

import io.holdfast.admin.LockStatus;
import io.holdfast.admin.LockWatch.ObservedLock;
import io.holdfast.console.json.Json;
import io.holdfast.console.view.LockHold.Ended;
import io.holdfast.node.NodeAnswer;
import io.holdfast.node.NodeLockStatus;
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

    private static final int MOST_ENDED = 200;

    /** The most waiters of a row. */
    private static final int MOST_WAITERS = 100;

    private final Deque<Ended> ended = new ArrayDeque<>();
    private LockStatus status;
    private @Nullable LockHold hold;
    private Map<String, Object> fields = Map.of();

    LockRow(LockStatus status) {
        this.status = status;
    }

    /**
     * Takes over a state of the lock.
     *
     * @param isGap whether there was no viewer for a while, so that the end of a hold was not seen
     */
    void observe(ObservedLock lock, boolean isBroken, boolean isGap, long now) {
        status = lock.status();
        if (!status.isQuorum() || (status.isHeldSomewhere() && status.held().isEmpty())) {
            return;
        }
        Optional<LockHold> next = status.held()
                .filter(held -> !held.retained())
                .map(held -> LockHold.of(status, held, lock.read().wallMicros() / 1_000, now));
        LockHold before = hold;
        if (before == null) {
            hold = next.orElse(null);
        } else if (next.filter(same -> same.holder().equals(before.holder())).isPresent()) {
            hold = before.updated(next.get());
        } else {
            boolean isRetained = status.held().filter(NodeLockStatus::retained).isPresent();
            end(
                    isGap || isRetained
                            ? new Ended(before, now, isGap ? LockHold.End.UNKNOWN : LockHold.End.RELEASED)
                            : before.ended(next, isBroken || isRemoved(), now));
            hold = next.orElse(null);
        }
    }

    private void end(Ended last) {
        ended.add(last);
        if (ended.size() > MOST_ENDED) {
            ended.remove();
        }
    }

    /** A node keeps a note about the removal of a lock for a minute. */
    private boolean isRemoved() {
        return status.nodes().stream()
                .map(NodeAnswer::value)
                .anyMatch(view -> view != null && !view.isHeld() && !view.note().equals(NodeLockStatus.Note.NONE));
    }

    LockStatus status() {
        return status;
    }

    private Optional<Ended> loss(long now) {
        return Optional.ofNullable(ended.peekLast())
                .filter(last -> last.end().isLoss() && now - last.to() < LOSS_MILLIS);
    }

    /** Returns {@code true} if the lock is shown: it is in use, or was lost a short time ago. */
    boolean isShown(long now) {
        return !status.isQuorum()
                || status.isHeldSomewhere()
                || !status.queue().isEmpty()
                || loss(now).isPresent();
    }

    /** Returns the fields of the row, the same object as the last time if none has changed. */
    Map<String, Object> fields(long now) {
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
        if (!status.isQuorum()) {
            return "unknown";
        }
        return status.held()
                .map(held -> held.retained() ? "retained" : held.shares() > 0 ? "shared" : "held")
                .orElse(status.isHeldSomewhere() ? "disputed" : "free");
    }

    /** Returns the holds that were seen, the newest one last. */
    List<Map<String, Object>> history() {
        return ended.stream().map(Ended::fields).toList();
    }
}
