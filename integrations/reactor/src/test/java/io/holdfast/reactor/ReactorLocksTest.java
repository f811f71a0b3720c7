package io.holdfast.reactor;

import static io.holdfast.servers.Eventually.BOUND;
import static io.holdfast.servers.Eventually.eventually;
import static org.assertj.core.api.Assertions.assertThat;

import io.holdfast.DistributedLock;
import io.holdfast.Holdfast;
import io.holdfast.Lease;
import io.holdfast.LeaseLostException;
import io.holdfast.LockOptions;
import io.holdfast.LockTimeoutException;
import io.holdfast.lease.LeaseState;
import io.holdfast.locks.MultiLock;
import io.holdfast.node.memory.InMemoryNode;
import io.holdfast.test.HoldfastExtension;
import io.holdfast.test.HoldfastTest;
import io.holdfast.time.Moment;
import io.holdfast.time.Time;
import io.holdfast.time.VirtualTime;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Queue;
import java.util.Random;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.Test;
import reactor.core.Disposable;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;
import reactor.test.StepVerifier;

/** Each way in which a publisher under a lock ends, in memory. */
@HoldfastTest
class ReactorLocksTest {

    private final HoldfastExtension locks;
    private final DistributedLock lock;

    ReactorLocksTest(Holdfast holdfast, HoldfastExtension locks) {
        this.locks = locks;
        this.lock = holdfast.lock("order:42");
    }

    private boolean isHeld() {
        return locks.isHeld("order:42");
    }

    @Test
    void using_publisherCompletes_holdsTheLockUntilThen() {
        Flux<Boolean> held =
                ReactorLocks.using(lock, lease -> Flux.just(1, 2, 3).map(item -> isHeld()));

        StepVerifier.create(held).expectNext(true, true, true).expectComplete().verify(BOUND);
        assertThat(isHeld()).isFalse();
    }

    @Test
    void usingMono_valueOrNone_isThatOfTheWork() {
        StepVerifier.create(ReactorLocks.usingMono(lock, lease -> Mono.just("done")))
                .expectNext("done")
                .expectComplete()
                .verify(BOUND);
        StepVerifier.create(ReactorLocks.usingMono(lock, lease -> Mono.empty()))
                .expectComplete()
                .verify(BOUND);
        assertThat(isHeld()).isFalse();
    }

    @Test
    void using_notSubscribed_acquiresNothing() {
        ReactorLocks.using(lock, lease -> Flux.just(1));

        assertThat(isHeld()).isFalse();
    }

    @Test
    void using_subscribedTwice_acquiresTwice() {
        Flux<Long> fences =
                ReactorLocks.using(lock, lease -> Flux.just(lease.fencingToken().value()));

        Long first = fences.blockLast(BOUND);
        Long second = fences.blockLast(BOUND);

        assertThat(second).isGreaterThan(first);
    }

    /** The lock is free when the subscriber sees the failure. */
    @Test
    void using_publisherFails_releasesBeforeTheFailure() {
        AtomicBoolean heldAtFailure = new AtomicBoolean(true);
        Flux<Integer> failing = ReactorLocks.using(lock, lease -> Flux.<Integer>error(new IOException("no disk")))
                .doOnError(failure -> heldAtFailure.set(isHeld()));

        StepVerifier.create(failing).expectError(IOException.class).verify(BOUND);
        assertThat(heldAtFailure).isFalse();
    }

    @Test
    void using_functionThrows_releasesTheLock() {
        Flux<Integer> failing = ReactorLocks.using(lock, lease -> {
            throw new IllegalArgumentException("no order");
        });

        StepVerifier.create(failing).expectError(IllegalArgumentException.class).verify(BOUND);
        assertThat(isHeld()).isFalse();
    }

    /** Reactor treats errors of the linkage as fatal, and throws them instead of signalling them. */
    @Test
    void using_classIsMissing_failsAndReleasesTheLock() {
        Flux<Integer> inFunction = ReactorLocks.using(lock, lease -> {
            throw new NoClassDefFoundError("Order");
        });
        Mono<Integer> inWork = ReactorLocks.usingMono(
                lock,
                lease -> Mono.fromCallable(() -> {
                    throw new NoClassDefFoundError("Order");
                }));

        StepVerifier.create(inFunction).expectError(NoClassDefFoundError.class).verify(BOUND);
        StepVerifier.create(inWork).expectError(NoClassDefFoundError.class).verify(BOUND);
        assertThat(isHeld()).isFalse();
    }

    @Test
    void using_heldElsewhere_failsAndHoldsNothing(Holdfast holdfast) {
        locks.heldElsewhere("order:42");
        DistributedLock once = holdfast.lock(
                "order:42", LockOptions.builder().waitLimit(Duration.ZERO).build());

        StepVerifier.create(ReactorLocks.using(once, lease -> Flux.just(1)))
                .expectError(LockTimeoutException.class)
                .verify(BOUND);
    }

    @Test
    void using_cancelledWhileItWaits_endsTheWait() {
        Lease other = locks.heldElsewhere("order:42");
        Disposable waiting = ReactorLocks.using(lock, lease -> Flux.just(1)).subscribe(item -> {}, failure -> {});

        waiting.dispose();
        other.close();

        // The node may grant the claim of the waiter before its withdrawal arrives.
        eventually("the lock is free", () -> !isHeld());
    }

    @Test
    void using_cancelledWhileItRuns_cancelsTheWorkAndReleases() {
        AtomicBoolean begun = new AtomicBoolean();
        AtomicBoolean cancelled = new AtomicBoolean();
        Disposable running =
                ReactorLocks.using(lock, lease -> endless(begun, cancelled)).subscribe();
        eventually("the work has begun", begun::get);

        running.dispose();

        eventually("the lock is free", () -> !isHeld());
        eventually("the work is cancelled", cancelled::get);
    }

    @Test
    void using_leaseIsLost_cancelsTheWorkAndFails() {
        AtomicBoolean begun = new AtomicBoolean();
        AtomicBoolean cancelled = new AtomicBoolean();
        Queue<Throwable> failures = new ConcurrentLinkedQueue<>();
        ReactorLocks.using(lock, lease -> endless(begun, cancelled)).subscribe(item -> {}, failures::add);
        eventually("the work has begun", begun::get);

        locks.takeAway("order:42");

        eventually("the result fails", () -> !failures.isEmpty());
        assertThat(failures).singleElement().isInstanceOf(LeaseLostException.class);
        eventually("the work is cancelled", cancelled::get);
    }

    /** Returns work without an end. A lock is held on the nodes shortly before its work begins. */
    private static Flux<Integer> endless(AtomicBoolean begun, AtomicBoolean cancelled) {
        return Flux.<Integer>never()
                .doOnSubscribe(subscription -> begun.set(true))
                .doOnCancel(() -> cancelled.set(true));
    }

    /** The publisher completes without noticing that its lease is lost. */
    @Test
    void using_completesAfterTheLoss_fails() {
        Mono<String> late = ReactorLocks.usingMono(
                lock,
                lease -> Mono.fromCallable(() -> {
                    lease.limit(Duration.ZERO);
                    return "done";
                }));

        StepVerifier.create(late)
                .expectNextCount(0)
                .expectError(LeaseLostException.class)
                .verify(BOUND);
    }

    /**
     * The process is stopped at each reading of the clock in turn: a lease that was lost then is not taken for a
     * released one.
     */
    @Test
    void using_stoppedBesideItsEnd_failsIfTheLeaseIsLost() {
        for (int reading = 1; reading <= 8; reading++) {
            StoppingTime time = new StoppingTime();
            Holdfast stopped = Holdfast.forTesting(List.of(new InMemoryNode("a", time)), time, new Random(7));
            List<Lease> used = new ArrayList<>();
            AtomicReference<Throwable> failure = new AtomicReference<>();
            int stop = reading;
            ReactorLocks.usingMono(
                            stopped.lock("order:42"),
                            lease -> Mono.fromRunnable(() -> {
                                used.add(lease);
                                time.left = stop;
                            }))
                    .subscribe(item -> {}, failure::set);

            time.virtual.settle();
            // What was requested after the stop is due later than what the first call runs.
            time.virtual.settle();

            boolean lost = used.get(0).state() == LeaseState.LOST;
            assertThat(failure.get() == null && lost)
                    .as("stopped at reading " + reading)
                    .isFalse();
        }
    }

    /** The time of a process that is stopped for a minute when it reads the clock for the given time. */
    private static final class StoppingTime implements Time {

        private final VirtualTime virtual = new VirtualTime();
        private int left;

        @Override
        public Moment now() {
            if (left > 0 && --left == 0) {
                virtual.pause(Duration.ofMinutes(1));
            }
            return virtual.now();
        }

        @Override
        public Timer schedule(Duration delay, Runnable task) {
            return virtual.schedule(delay, task);
        }

        @Override
        public void execute(Runnable task) {
            virtual.execute(task);
        }
    }

    /** The release is the first to learn that the nodes do not hold the lock any more. */
    @Test
    void using_lockIsGoneFromTheNodes_fails(Holdfast holdfast) {
        Mono<Object> late = ReactorLocks.usingMono(
                lock,
                lease -> Mono.fromCallable(() ->
                        holdfast.attach(lease.handle(), LockOptions.DEFAULT).release()));

        StepVerifier.create(late)
                .expectNextCount(0)
                .expectError(LeaseLostException.class)
                .verify(BOUND);
    }

    @Test
    void using_setOfLocks_holdsAllOfThem(Holdfast holdfast) {
        MultiLock set = MultiLock.of(holdfast, List.of("order:42", "order:43"));

        StepVerifier.create(ReactorLocks.using(
                        set, leases -> Flux.fromIterable(leases.all()).map(lease -> isHeld() && lease.isValid())))
                .expectNext(true, true)
                .expectComplete()
                .verify(BOUND);

        assertThat(isHeld()).isFalse();
    }

    @Test
    void using_workReleasesTheLeaseItself_completes() {
        StepVerifier.create(ReactorLocks.usingMono(
                        lock, lease -> Mono.fromFuture(lease::releaseAsync).thenReturn("done")))
                .expectNext("done")
                .expectComplete()
                .verify(BOUND);
    }
}
