package io.holdfast.acquire;

import io.holdfast.lease.ClientDescription;
import io.holdfast.quorum.Outcome;
import io.holdfast.quorum.Verdict;
import io.holdfast.quorum.Vote;
import java.time.Duration;
import java.util.Optional;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * The result of an acquisition that did not fail: a lock, or a refusal.
 *
 * @param <L> what represents the lock: at first its {@link Grant}, for a caller the hold that the client makes of it
 */
public sealed interface AcquireResult<L> {

    /** Returns the lock; empty after a refusal. */
    Optional<L> lock();

    /** Returns this result with another object for the lock. */
    <M> AcquireResult<M> map(Function<? super L, ? extends M> other);

    /** A lock that is held. */
    record Held<L>(L held) implements AcquireResult<L> {

        @Override
        public Optional<L> lock() {
            return Optional.of(held);
        }

        @Override
        public <M> AcquireResult<M> map(Function<? super L, ? extends M> other) {
            return new Held<>(other.apply(held));
        }
    }

    /**
     * A lock that was not granted within the limit.
     *
     * @param outcome the last round of this client; null if the client held the lock itself and did not ask
     * @param holder the holder of the lock, if it was looked up and is known
     */
    record Refused<L>(@Nullable Outcome outcome, Duration waited, Optional<ClientDescription> holder)
            implements AcquireResult<L> {

        Refused(@Nullable Outcome outcome, Duration waited) {
            this(outcome, waited, Optional.empty());
        }

        /** Returns {@code true} if concurrent clients split the votes. */
        public boolean isSplit() {
            return outcome != null && outcome.isSplit();
        }

        /** Returns {@code true} if so many nodes deny the lock to its owner that a majority does not hold it. */
        public boolean isDenied() {
            return outcome != null && outcome.tally().isDenied();
        }

        /** Returns the votes of the last round in one line; empty if this client did not ask. */
        public String votes() {
            return outcome == null ? "" : Vote.join(outcome.votes());
        }

        /** Returns {@code true} if another owner was the reason; otherwise too few nodes voted in time. */
        public boolean isByHolder() {
            return outcome == null || outcome.verdict() == Verdict.REFUSED || outcome.verdict() == Verdict.STALE;
        }

        @Override
        public Optional<L> lock() {
            return Optional.empty();
        }

        @Override
        public <M> AcquireResult<M> map(Function<? super L, ? extends M> other) {
            return new Refused<>(outcome, waited, holder);
        }
    }
}
