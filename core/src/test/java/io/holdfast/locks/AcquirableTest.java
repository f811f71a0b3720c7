package io.holdfast.locks;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.holdfast.Acquirable;
import io.holdfast.Held;
import io.holdfast.Holdfast;
import io.holdfast.HoldfastOptions;
import io.holdfast.Lease;
import io.holdfast.LeaseLostException;
import io.holdfast.LockOptions;
import io.holdfast.LockTimeoutException;
import io.holdfast.QuorumUnreachableException;
import io.holdfast.RestartPolicy;
import io.holdfast.UnreliableNode;
import io.holdfast.node.Claim;
import io.holdfast.time.ForwardingTime;
import io.holdfast.time.VirtualTime;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Random;
import java.util.TreeMap;
import java.util.concurrent.CompletableFuture;
import java.util.stream.Stream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.MethodSource;

/** The contract of {@link Acquirable}, for all that can be acquired and for all its methods, in virtual time. */
class AcquirableTest {

    private static final Duration BRIEF = Duration.ofSeconds(2);
    private static final LockOptions OPTIONS = LockOptions.builder()
            .lease(Duration.ofSeconds(6))
            .waitLimit(Duration.ofSeconds(4))
            .build();
    private static final LockOptions OTHER =
            OPTIONS.toBuilder().waitLimit(Duration.ofSeconds(3)).build();

    private final VirtualTime time = new VirtualTime();
    private final List<UnreliableNode> nodes = UnreliableNode.several(3, time);
    private final Holdfast holdfast = client(1);

    /** All that can be acquired. */
    enum Kind {
        LOCK("a") {
            @Override
            Acquirable<? extends Held> in(Holdfast client) {
                return client.lock("a", OPTIONS);
            }
        },
        SHARED("a") {
            @Override
            Acquirable<? extends Held> in(Holdfast client) {
                return client.lock("a", OPTIONS).shared();
            }
        },
        OWNED("a") {
            @Override
            Acquirable<? extends Held> in(Holdfast client) {
                return OwnedLock.of(client.lock("a", OPTIONS)).by("me");
            }
        },
        SET("a b") {
            @Override
            Acquirable<? extends Held> in(Holdfast client) {
                return MultiLock.of(client, List.of("b", "a"), OPTIONS);
            }
        },
        SEMAPHORE("pool/1") {
            @Override
            Acquirable<? extends Held> in(Holdfast client) {
                return DistributedSemaphore.of(client, "pool", 1, OPTIONS);
            }
        };

        private final String names;

        Kind(String names) {
            this.names = names;
        }

        /** Returns the names of the locks that are held. */
        private List<String> names() {
            return List.of(names.split(" "));
        }

        abstract Acquirable<? extends Held> in(Holdfast client);

        /** The lock that is requested last. */
        private String last() {
            return names().get(names().size() - 1);
        }
    }

    /** One method that acquires; the result is empty if contention is no exception. */
    private interface Form {
        Optional<? extends Held> of(AcquirableTest test, Acquirable<? extends Held> lock) throws Exception;
    }

    private static final Map<String, Form> BLOCKING = new TreeMap<>(Map.of(
            "acquire", (test, lock) -> Optional.of(lock.acquire()),
            "acquire(limit)", (test, lock) -> Optional.of(lock.acquire(BRIEF)),
            "acquire(options)", (test, lock) -> Optional.of(lock.acquire(OTHER)),
            "tryAcquire", (test, lock) -> lock.tryAcquire(),
            "tryAcquire(limit)", (test, lock) -> lock.tryAcquire(BRIEF)));
    private static final Map<String, Form> FORMS = new TreeMap<>(BLOCKING);

    /** The wait of each method for another holder. */
    private static final Map<String, Duration> LIMITS = new TreeMap<>(Map.of(
            "acquire",
            OPTIONS.waitLimit(),
            "acquire(limit)",
            BRIEF,
            "acquire(options)",
            OTHER.waitLimit(),
            "tryAcquire",
            Duration.ZERO,
            "tryAcquire(limit)",
            BRIEF));

    static {
        FORMS.put("acquireAsync", (test, lock) -> Optional.of(test.awaited(lock.acquireAsync())));
        FORMS.put("acquireAsync(limit)", (test, lock) -> Optional.of(test.awaited(lock.acquireAsync(BRIEF))));
        FORMS.put("acquireAsync(options)", (test, lock) -> Optional.of(test.awaited(lock.acquireAsync(OTHER))));
        FORMS.put("tryAcquireAsync", (test, lock) -> test.awaited(lock.tryAcquireAsync()));
        FORMS.put("tryAcquireAsync(limit)", (test, lock) -> test.awaited(lock.tryAcquireAsync(BRIEF)));
    }

    static Stream<Arguments> kindsAndForms() {
        return Stream.of(Kind.values()).flatMap(kind -> FORMS.keySet().stream().map(form -> Arguments.of(kind, form)));
    }

    static Stream<Arguments> kindsAndBlockingForms() {
        return Stream.of(Kind.values())
                .flatMap(kind -> BLOCKING.keySet().stream().map(form -> Arguments.of(kind, form)));
    }

    /** Lets the time pass until the future is complete, and throws its failure as it is. */
    private <T> T awaited(CompletableFuture<T> future) throws Exception {
        while (!future.isDone()) {
            time.advance(Duration.ofMillis(1));
        }
        CompletableFuture<Throwable> failure = future.handle((result, thrown) -> thrown);
        if (failure.join() instanceof Exception thrown) {
            throw thrown;
        }
        return future.join();
    }

    private Holdfast client(int seed) {
        ForwardingTime passing = new ForwardingTime(time) {
            @Override
            public boolean await(CompletableFuture<?> future, Duration limit) throws InterruptedException {
                while (!future.isDone()) {
                    if (Thread.interrupted()) {
                        throw new InterruptedException("in a test");
                    }
                    time.advance(Duration.ofMillis(1));
                }
                return true;
            }
        };
        return Holdfast.over(
                nodes, HoldfastOptions.builder().restarts(RestartPolicy.DURABLE).build(), passing, new Random(seed));
    }

    private static Form form(String name) {
        return Objects.requireNonNull(FORMS.get(name));
    }

    private static Duration limit(String form) {
        return Objects.requireNonNull(LIMITS.get(form.replace("Async", "")));
    }

    private Lease heldByAnother(Kind kind) throws InterruptedException {
        return client(2).lock(kind.last()).acquire();
    }

    private void assertFree(Kind kind) {
        time.advance(Duration.ofSeconds(1));
        kind.names()
                .forEach(name ->
                        nodes.forEach(node -> assertThat(node.ownerOf(name)).isNull()));
    }

    private boolean isHeld(Kind kind) {
        return kind.names().stream().allMatch(name -> nodes.stream().allMatch(node -> node.ownerOf(name) != null));
    }

    private long nanos() {
        return time.now().nanos();
    }

    @ParameterizedTest
    @MethodSource("kindsAndForms")
    void acquire_free_isHeldUntilItIsClosed(Kind kind, String form) throws Exception {
        Held held = form(form).of(this, kind.in(holdfast)).orElseThrow();

        assertThat(isHeld(kind)).isTrue();
        assertThat(held.isValid()).isTrue();
        assertThat(held.remaining()).isBetween(Duration.ofSeconds(5), OPTIONS.lease());
        held.close();
        held.close();
        assertThat(held.isValid()).isFalse();
        assertThat(held.remaining()).isZero();
        assertThatThrownBy(() -> held.ensureValidFor(Duration.ofMillis(1))).isInstanceOf(LeaseLostException.class);
        assertFree(kind);
    }

    @ParameterizedTest
    @MethodSource("kindsAndForms")
    void acquire_heldByAnother_endsAtTheLimitAndHoldsNothing(Kind kind, String form) throws Exception {
        Lease other = heldByAnother(kind);
        long begun = nanos();

        if (form.startsWith("try")) {
            assertThat(form(form).of(this, kind.in(holdfast)).isPresent()).isFalse();
        } else {
            assertThatThrownBy(() -> form(form).of(this, kind.in(holdfast))).isInstanceOf(LockTimeoutException.class);
        }

        assertThat(Duration.ofNanos(nanos() - begun))
                .isBetween(limit(form), limit(form).plusMillis(600));
        other.close();
        assertFree(kind);
    }

    @ParameterizedTest
    @MethodSource("kindsAndForms")
    void acquire_heldByAnotherForASecond_isGrantedIfItWaits(Kind kind, String form) throws Exception {
        Lease other = heldByAnother(kind);
        time.schedule(Duration.ofSeconds(1), other::releaseAsync);

        if (!limit(form).isZero()) {
            assertThat(form(form).of(this, kind.in(holdfast)).orElseThrow().isValid())
                    .isTrue();
        }
    }

    @ParameterizedTest
    @MethodSource("kindsAndForms")
    void acquire_nodesAreDown_failsAfterTheLimit(Kind kind, String form) {
        nodes.forEach(UnreliableNode::down);
        long begun = nanos();

        assertThatThrownBy(() -> form(form).of(this, kind.in(holdfast))).isInstanceOf(QuorumUnreachableException.class);

        assertThat(Duration.ofNanos(nanos() - begun)).isLessThan(limit(form).plusSeconds(1));
    }

    @ParameterizedTest
    @MethodSource("kindsAndForms")
    void acquire_clientIsClosed_fails(Kind kind, String form) {
        Acquirable<? extends Held> lock = kind.in(holdfast);
        holdfast.close();

        assertThatThrownBy(() -> form(form).of(this, lock))
                .isInstanceOf(IllegalStateException.class)
                .hasMessageContaining("This Holdfast is closed");
    }

    @ParameterizedTest
    @MethodSource("kindsAndBlockingForms")
    void acquire_threadIsInterruptedBefore_requestsNothing(Kind kind, String form) {
        Acquirable<? extends Held> lock = kind.in(holdfast);
        Thread.currentThread().interrupt();

        assertThatThrownBy(() -> form(form).of(this, lock)).isInstanceOf(InterruptedException.class);

        assertThat(nodes.get(0).received()).isEmpty();
    }

    @ParameterizedTest
    @MethodSource("kindsAndBlockingForms")
    void acquire_threadIsInterruptedWhileItWaits_leavesNothing(Kind kind, String form) throws Exception {
        Lease other = heldByAnother(kind);
        Thread waiting = Thread.currentThread();
        nodes.forEach(node -> node.latency(Duration.ofMillis(5)));
        time.schedule(Duration.ofMillis(1), waiting::interrupt);

        assertThatThrownBy(() -> form(form).of(this, kind.in(holdfast))).isInstanceOf(InterruptedException.class);

        other.close();
        assertFree(kind);
    }

    @ParameterizedTest
    @EnumSource
    void acquire_wrongArgument_isRejectedByTheCall(Kind kind) {
        Acquirable<? extends Held> lock = kind.in(holdfast);
        Duration negative = Duration.ofMillis(-1);
        LockOptions tooLong = OPTIONS.toBuilder().lease(Duration.ofHours(1)).build();

        for (Form form : List.<Form>of(
                (test, same) -> Optional.of(same.acquire(negative)),
                (test, same) -> same.tryAcquire(negative),
                (test, same) -> Optional.of(same.acquireAsync(negative).join()),
                (test, same) -> same.tryAcquireAsync(negative).join(),
                (test, same) -> Optional.of(same.acquire(tooLong)),
                (test, same) -> Optional.of(same.acquireAsync(tooLong).join()))) {
            assertThatThrownBy(() -> form.of(this, lock)).isInstanceOf(IllegalArgumentException.class);
        }
        assertThat(nodes.get(0).received()).isEmpty();
        assertThat(lock.options()).isEqualTo(OPTIONS);
    }

    @ParameterizedTest
    @EnumSource
    void acquire_withOptions_leaseHasTheirLength(Kind kind) throws InterruptedException {
        LockOptions longer =
                OPTIONS.toBuilder().lease(OPTIONS.lease().multipliedBy(2)).build();

        assertThat(kind.in(holdfast).acquire(longer).remaining()).isBetween(OPTIONS.lease(), longer.lease());
    }

    @ParameterizedTest
    @EnumSource
    void acquireAsync_endedAtAnyMoment_leavesNothing(Kind kind) throws InterruptedException {
        for (int millis = 0; millis < 20; millis++) {
            nodes.forEach(node -> node.latency(Duration.ofMillis(3)));
            List<CompletableFuture<?>> asked =
                    List.of(kind.in(holdfast).acquireAsync(), kind.in(holdfast).tryAcquireAsync(Duration.ofSeconds(1)));
            time.advance(Duration.ofMillis(millis));

            asked.get(0).cancel(true);
            asked.get(1).completeExceptionally(new IOException("of the caller"));
            boolean arrived = asked.stream().anyMatch(future -> !future.isCompletedExceptionally());

            if (arrived) {
                release(asked);
            }
            nodes.forEach(node -> node.latency(Duration.ZERO));
            assertFree(kind);
        }
    }

    private static void release(List<CompletableFuture<?>> asked) {
        for (CompletableFuture<?> future : asked) {
            if (!future.isCompletedExceptionally()) {
                Object result = future.join() instanceof Optional<?> some ? some.orElse(null) : future.join();
                if (result instanceof Held held) {
                    held.releaseAsync();
                }
            }
        }
    }

    @ParameterizedTest
    @EnumSource
    void acquireAsync_endedWhileAnotherHolds_endsTheWait(Kind kind) throws InterruptedException {
        Lease other = heldByAnother(kind);
        CompletableFuture<?> waits = kind.in(holdfast).acquireAsync();
        CompletableFuture<?> tries = kind.in(holdfast).tryAcquireAsync(BRIEF);
        time.advance(Duration.ofMillis(500));

        waits.cancel(true);
        tries.cancel(true);
        time.settle();
        long requests = nodes.get(0).received(Claim.Action.ACQUIRE);
        time.advance(OPTIONS.waitLimit());

        assertThat(nodes.get(0).received(Claim.Action.ACQUIRE))
                .as("requests of a wait that has ended")
                .isEqualTo(requests);
        other.releaseAsync();
        assertFree(kind);
    }

    @ParameterizedTest
    @EnumSource
    void callAndRun_free_holdWhileTheBodyRuns(Kind kind) throws Exception {
        Acquirable<? extends Held> lock = kind.in(holdfast);
        List<String> ran = new ArrayList<>();

        String called = lock.call(held -> isHeld(kind) && held.isValid() ? "called" : "not held");
        lock.run(held -> ran.add("run " + isHeld(kind)));
        Optional<String> tried = lock.tryCall(held -> isHeld(kind) ? "tried" : "not held");
        boolean tryRan = lock.tryRun(held -> ran.add("tryRun " + isHeld(kind)));

        assertThat(called).isEqualTo("called");
        assertThat(tried).contains("tried");
        assertThat(tryRan).isTrue();
        assertThat(ran).containsExactly("run true", "tryRun true");
        assertFree(kind);
    }

    @ParameterizedTest
    @EnumSource
    void tryCallAndTryRun_heldByAnother_doNotRunAndDoNotWait(Kind kind) throws InterruptedException {
        Acquirable<? extends Held> lock = kind.in(holdfast);
        heldByAnother(kind);
        List<Held> ran = new ArrayList<>();
        long begun = nanos();

        Optional<Boolean> called = lock.tryCall(ran::add);
        boolean run = lock.tryRun(ran::add);

        assertThat(called).isEmpty();
        assertThat(run).isFalse();
        assertThat(ran).isEmpty();
        assertThat(Duration.ofNanos(nanos() - begun)).isLessThan(Duration.ofSeconds(1));
        assertThatThrownBy(() -> lock.run(ran::add)).isInstanceOf(LockTimeoutException.class);
        assertThat(ran).isEmpty();
    }

    /** Each way to run a body. */
    private interface Use {
        void run(Acquirable<? extends Held> lock, Acquirable.Action<Held, Exception> body) throws Exception;
    }

    private static final List<Use> USES = List.of(
            (lock, body) -> lock.run(body::accept),
            (lock, body) -> lock.tryRun(body::accept),
            (lock, body) -> lock.call(held -> {
                body.accept(held);
                return held;
            }),
            (lock, body) -> lock.tryCall(held -> {
                body.accept(held);
                return held;
            }));

    @ParameterizedTest
    @EnumSource
    void use_bodyThrows_releasesAndThrowsThat(Kind kind) {
        for (Use use : USES) {
            IOException broken = new IOException("broken");
            // Contention of another lock in the body does not mean that the body did not run.
            LockTimeoutException other = new LockTimeoutException("other", Duration.ZERO);

            assertThatThrownBy(() -> use.run(kind.in(holdfast), held -> {
                        throw broken;
                    }))
                    .isSameAs(broken);
            assertThatThrownBy(() -> use.run(kind.in(holdfast), held -> {
                        throw other;
                    }))
                    .isSameAs(other);
            assertFree(kind);
        }
    }

    @ParameterizedTest
    @EnumSource
    void use_lostOnTheNodesOnly_throws(Kind kind) {
        for (Use use : USES) {
            assertThatThrownBy(() -> use.run(kind.in(holdfast), held -> evict(kind)))
                    .isInstanceOf(LeaseLostException.class)
                    .hasMessageContaining("was lost before its release");
        }
    }

    private void evict(Kind kind) {
        nodes.forEach(node -> node.node().evict(kind.last()));
    }

    /** The body may have run beside another holder. */
    @ParameterizedTest
    @EnumSource
    void use_leaseExpiresWhileTheBodyRuns_throws(Kind kind) {
        for (Use use : USES) {
            assertThatThrownBy(() -> use.run(kind.in(holdfast), held -> {
                        nodes.forEach(UnreliableNode::freeze);
                        time.advance(OPTIONS.lease().multipliedBy(2));
                        nodes.forEach(UnreliableNode::thaw);
                    }))
                    .isInstanceOf(LeaseLostException.class);
            assertFree(kind);
        }
    }

    /** A release by the body is no loss, and the result is that of the body. */
    @ParameterizedTest
    @EnumSource
    void use_bodyReleases_returns(Kind kind) throws Exception {
        for (Use use : USES) {
            use.run(kind.in(holdfast), Held::close);
            use.run(kind.in(holdfast), Held::releaseAsync);
            use.run(kind.in(holdfast), Held::finish);
            assertFree(kind);
        }
    }

    @ParameterizedTest
    @EnumSource
    void use_nodesAreDown_throwsAndDoesNotRun(Kind kind) {
        nodes.forEach(UnreliableNode::down);
        List<Held> ran = new ArrayList<>();
        for (Use use : USES) {
            assertThatThrownBy(() -> use.run(kind.in(holdfast), ran::add))
                    .isInstanceOf(QuorumUnreachableException.class);
        }
        assertThat(ran).isEmpty();
    }

    @ParameterizedTest
    @EnumSource
    @SuppressWarnings("NullAway")
    void tryCall_bodyReturnsNull_throwsAfterTheRelease(Kind kind) throws InterruptedException {
        Acquirable<? extends Held> lock = kind.in(holdfast);

        assertThatThrownBy(() -> lock.tryCall(held -> null))
                .isInstanceOf(NullPointerException.class)
                .hasMessageContaining("use tryRun");

        assertFree(kind);
        Object nothing = lock.call(held -> null);
        assertThat(nothing).isNull();
    }

    @ParameterizedTest
    @EnumSource
    void finish_held_releases(Kind kind) throws InterruptedException {
        Held first = kind.in(holdfast).acquire();
        first.finish();
        first.finish();
        assertThat(isHeld(kind)).isFalse();

        CompletableFuture<Void> second = kind.in(holdfast).acquire().finishAsync();
        time.settle();
        assertThat(second).isCompleted();
        assertFree(kind);
    }

    @ParameterizedTest
    @EnumSource
    void finish_lost_throws(Kind kind) throws InterruptedException {
        Held first = kind.in(holdfast).acquire();
        evict(kind);
        assertThatThrownBy(first::finish).isInstanceOf(LeaseLostException.class);

        Held second = kind.in(holdfast).acquire();
        evict(kind);
        CompletableFuture<Void> finished = second.finishAsync();
        time.settle();
        assertThatThrownBy(() -> awaited(finished)).isInstanceOf(LeaseLostException.class);
        assertFree(kind);
    }

    @ParameterizedTest
    @EnumSource
    void onLost_lostOrReleased_isCalledOnceIfLost(Kind kind) throws InterruptedException {
        List<String> calls = new ArrayList<>();
        Held lost = kind.in(holdfast).acquire();
        lost.onLost(loss -> calls.add("first " + loss.resource()));
        lost.onLost(loss -> calls.add("unregistered")).close();
        nodes.forEach(UnreliableNode::freeze);
        time.advance(OPTIONS.lease());
        nodes.forEach(UnreliableNode::thaw);
        lost.onLost(loss -> calls.add("late"));
        time.settle();
        assertThat(calls).hasSize(2).last().isEqualTo("late");
        assertThat(lost.isValid()).isFalse();
        lost.close();

        calls.clear();
        Held released = kind.in(holdfast).acquire();
        released.onLost(loss -> calls.add("released"));
        released.releaseAsync();
        time.advance(OPTIONS.lease());
        assertThat(calls).isEmpty();
        assertFree(kind);
    }

    @ParameterizedTest
    @EnumSource
    void ensureValidFor_longerThanTheLease_extends(Kind kind) throws InterruptedException {
        Held held = kind.in(holdfast).acquire();

        held.ensureValidFor(Duration.ofSeconds(20));

        assertThat(held.remaining()).isGreaterThanOrEqualTo(Duration.ofSeconds(20));
        assertThatThrownBy(() -> held.ensureValidFor(Duration.ofHours(1))).isInstanceOf(IllegalArgumentException.class);
    }
}
