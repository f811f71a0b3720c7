package io.holdfast.simulation.cycle;

import io.holdfast.DistributedLock;
import io.holdfast.Lease;
import io.holdfast.LockOptions;
import io.holdfast.simulation.world.SimulatedClient;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.Collection;
import java.util.Deque;
import java.util.Optional;
import java.util.random.RandomGenerator;
import org.jspecify.annotations.Nullable;

/**
 * A thread of a process that takes some of the locks in their order, works, and releases them. It waits for one lock at
 * a time. Some of its waits end before the lock is free.
 */
final class NestingThread {

    private static final int MOST_LOCKS = 4;
    private static final int ONE_IN_WAITS_ENDS = 8;
    private static final Duration SHORT_WAIT = Duration.ofSeconds(2);
    private static final Duration PAUSE = Duration.ofMillis(5);
    private static final LockOptions PATIENT = LockOptions.builder()
            .lease(Duration.ofSeconds(10))
            .waitLimit(Duration.ofHours(1))
            .build();

    private final SimulatedClient client;
    private final CyclePlan plan;
    private final RandomGenerator random;
    private final Deque<Lease> held = new ArrayDeque<>();
    private long granted;
    private @Nullable String wanted;

    NestingThread(SimulatedClient client, CyclePlan plan, RandomGenerator random) {
        this.client = client;
        this.plan = plan;
        this.random = random;
    }

    /** Begins to take locks, and never ends. */
    void begin() {
        after(PAUSE, () -> take(random.nextInt(plan.locks().size())));
    }

    /** Returns the number of locks that it was granted. */
    long granted() {
        return granted;
    }

    /** Returns the process to which this thread belongs. */
    SimulatedClient client() {
        return client;
    }

    /** Returns the lock for which it waits; empty if it does not wait. */
    Optional<String> wanted() {
        return Optional.ofNullable(wanted);
    }

    /** Returns the leases that it holds. */
    Collection<Lease> held() {
        return held;
    }

    private void take(int lock) {
        wanted = plan.locks().get(lock);
        DistributedLock exclusive = client.holdfast().lock(plan.locks().get(lock), options());
        (random.nextDouble() < plan.shared() ? exclusive.shared() : exclusive)
                .acquireAsync()
                .whenComplete((lease, failure) -> {
                    wanted = null;
                    if (failure != null) {
                        release();
                        return;
                    }
                    granted++;
                    held.push(lease);
                    after(plan.longestHold(), () -> goOn(lock + 1 + random.nextInt(2)));
                });
    }

    private LockOptions options() {
        return random.nextInt(ONE_IN_WAITS_ENDS) == 0
                ? PATIENT.toBuilder().waitLimit(upTo(SHORT_WAIT)).build()
                : PATIENT;
    }

    private void goOn(int next) {
        if (next < plan.locks().size() && held.size() < MOST_LOCKS && random.nextInt(4) > 0) {
            take(next);
        } else {
            release();
        }
    }

    private void release() {
        if (held.isEmpty()) {
            begin();
        } else {
            held.pop().releaseAsync();
            after(PAUSE, this::release);
        }
    }

    private void after(Duration longest, Runnable task) {
        client.time().schedule(upTo(longest), task);
    }

    private Duration upTo(Duration longest) {
        return Duration.ofNanos(random.nextLong(longest.toNanos()));
    }
}
