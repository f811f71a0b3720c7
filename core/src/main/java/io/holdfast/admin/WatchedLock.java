package io.holdfast.admin;

import io.holdfast.node.NodeLockStatus;
import io.holdfast.time.Durations;
import io.holdfast.time.Moment;
import java.time.Duration;
import java.util.List;
import java.util.stream.Stream;

/**
 * A lock as it was read last.
 *
 * @param status its state
 * @param read when the state was read
 * @param marks the {@linkplain io.holdfast.node.NodeAdmin#marks marks} of the lock at that time
 * @param changed when the marks became these
 */
record WatchedLock(LockStatus status, Moment read, List<Integer> marks, Moment changed) {

    /** The greatest age of the state of a lock whose marks remain; its lease may have been extended since. */
    private static final Duration OLDEST = Duration.ofSeconds(3);

    /** A state is read at least this often during its lease. */
    private static final int READS_PER_LEASE = 4;

    /** The time in which a client that has begun to hold a lock, or to wait, describes itself. */
    private static final Duration INTRODUCTION = Duration.ofSeconds(1);

    /** Returns whether the state has to be read again. */
    boolean isDue(List<Integer> newMarks, Moment now) {
        return !marks.equals(newMarks)
                || status.held().filter(held -> held.shares() > 0).isPresent()
                || isBeingNamed(now)
                || now.surelySince(read).compareTo(oldest()) >= 0;
    }

    private boolean isBeingNamed(Moment now) {
        return now.surelySince(changed).compareTo(INTRODUCTION) < 0
                && !clients().allMatch(status.clients()::containsKey);
    }

    private Stream<String> clients() {
        return status.held().stream()
                .flatMap(held -> Stream.concat(
                        held.clients().stream(), held.queue().stream().map(NodeLockStatus.Waiter::client)));
    }

    private Duration oldest() {
        return status.held()
                .map(held -> Durations.shorter(OLDEST, Durations.part(held.timeLeft(), READS_PER_LEASE)))
                .orElse(status.isQuorum() ? Duration.ZERO : OLDEST);
    }

    /** Returns {@code true} if the lock need not be shown: enough nodes say that it is free, and no client waits. */
    boolean isFree() {
        return status.isQuorum() && !status.isHeldSomewhere() && status.queue().isEmpty();
    }
}
