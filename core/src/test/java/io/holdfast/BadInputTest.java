package io.holdfast;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;
import static org.assertj.core.api.Assertions.assertThatNullPointerException;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.holdfast.lease.FencingToken;
import io.holdfast.lease.LockMode;
import io.holdfast.lease.Owner;
import io.holdfast.locks.DistributedSemaphore;
import io.holdfast.locks.LeaderElection;
import io.holdfast.locks.MultiLease;
import io.holdfast.locks.MultiLock;
import io.holdfast.locks.ReentrantDistributedLock;
import io.holdfast.node.memory.InMemoryNode;
import io.holdfast.record.LockRecord;
import io.holdfast.security.ConnectionSecurity;
import io.holdfast.security.Credentials;
import io.holdfast.time.SystemTime;
import io.holdfast.time.VirtualTime;
import java.time.Duration;
import java.util.List;
import java.util.Random;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Each wrong input is refused when it is given, with the value and the remedy. */
class BadInputTest {

    @ParameterizedTest
    @ValueSource(
            strings = {
                "",
                "order:42",
                "hf1:b3JkZXI:12:0",
                "hf2:b3JkZXI:12:0:secret",
                "hf1:***:12:0:secret",
                "hf1:b3JkZXI:twelve:0:secret",
                "hf1:b3JkZXI:12:0:se cret",
                "hf1::12:0:secret",
                "hf1:b3JkZXI:12:-1:secret",
                "hf1:b3JkZfxy:12:0:secret"
            })
    void leaseHandle_damaged_isRejectedWithoutTheSecret(String text) {
        assertThatThrownBy(() -> DetachedLease.parse(text))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageStartingWith("The handle of a lease looks like hf1:...")
                .hasMessageNotContainingAny("secret", "se cret");
    }

    @Test
    void leaseHandle_writtenAndRead_isTheSame() {
        DetachedLease handle = new DetachedLease(
                "order:42 ü",
                new Owner("a:b.cdefghijklmnopqr"),
                LockMode.EXCLUSIVE,
                new FencingToken(1_700_000_000_000_002L),
                7);

        assertThat(DetachedLease.parse(handle.text() + "\n")).isEqualTo(handle);
        assertThat(handle.text()).matches("[!-~]+");
        assertThat(handle.toString()).doesNotContain("mnopqr");
    }

    private static final VirtualTime TIME = new VirtualTime();
    private static final Holdfast HOLDFAST = Holdfast.forTesting(UnreliableNode.several(1, TIME), TIME, new Random(1));
    private static final LockOptions OPTIONS = LockOptions.DEFAULT;

    static Stream<Arguments> wrongInputs() {
        return Stream.of(
                wrong(() -> HOLDFAST.lock(""), "empty", "such as"),
                wrong(() -> HOLDFAST.lock("a\uD83D"), "a?", "half of a character"),
                wrong(() -> HOLDFAST.lock("\uDE00b"), "?b", "correct the code"),
                wrong(
                        () -> LeaderElection.start(HOLDFAST.lock("a").shared(), lease -> {}),
                        "'a'",
                        "give the lock itself"),
                wrong(() -> HOLDFAST.lock("\u001b\uD83D"), "'??'", "half of a character"),
                wrong(
                        () -> HOLDFAST.lock("holdfast:digest:" + "A".repeat(64) + ":x"),
                        "is the key of another name",
                        "give that name"),
                wrong(() -> HOLDFAST.admin().breakLock("a", "x".repeat(1_025)), "1025", "shorten it"),
                wrong(
                        () -> new LockRecord("\uD83D", FencingToken.NONE, LockRecord.ALWAYS),
                        "half of a character",
                        "correct"),
                wrong(() -> DetachedLease.parse("1:YQ:2:0:abc:retained"), "handle", "looks like"),
                wrong(() -> TIME.advance(Duration.ofSeconds(-1)), "PT-1S", "stepWallClock"),
                wrong(() -> TIME.pause(Duration.ofSeconds(-1)), "PT-1S", "stepWallClock"),
                wrong(() -> OPTIONS.toBuilder().lease(Duration.ZERO).build(), "lease PT0S", "at least"),
                wrong(() -> OPTIONS.toBuilder().lease(Duration.ofMillis(9)).build(), "lease PT0.009S", "at least"),
                wrong(() -> OPTIONS.toBuilder().lease(Duration.ofDays(2)).build(), "lease PT48H", "leave renewal on"),
                wrong(
                        () -> OPTIONS.toBuilder()
                                .waitLimit(Duration.ofSeconds(-1))
                                .build(),
                        "waitLimit PT-1S",
                        "zero"),
                wrong(
                        () -> OPTIONS.toBuilder()
                                .holdLimit(Duration.ofSeconds(29))
                                .build(),
                        "holdLimit PT29S",
                        "PT30S"),
                wrong(() -> OPTIONS.toBuilder().driftShare(0.51).build(), "driftShare 0.51", "0.01 is customary"),
                wrong(() -> OPTIONS.toBuilder().driftShare(Double.NaN).build(), "driftShare NaN", "0.01 is customary"),
                wrong(() -> OPTIONS.toBuilder().nodeTimeout(Duration.ZERO).build(), "nodeTimeout PT0S", "1 ms"),
                wrong(
                        () -> OPTIONS.toBuilder()
                                .nodeTimeout(Duration.ofSeconds(30))
                                .build(),
                        "nodeTimeout PT30S",
                        "lengthen the lease"),
                wrong(
                        () -> OPTIONS.toBuilder()
                                .retryDelays(Duration.ZERO, Duration.ofSeconds(1))
                                .build(),
                        "retryDelay PT0S",
                        "1 ms"),
                wrong(
                        () -> OPTIONS.toBuilder()
                                .retryDelays(Duration.ofSeconds(2), Duration.ofSeconds(1))
                                .build(),
                        "retryDelayLimit PT1S",
                        "raise"),
                wrong(() -> Holdfast.connect(), "No nodes", "redis://"),
                wrong(() -> Holdfast.connect("redis://a", "localhost:6379"), "The 2nd address", "redis://"),
                wrong(() -> Holdfast.connect("redis://a:99999"), "not between 1 and 65535", "redis://"),
                wrong(() -> Holdfast.connect("redis://"), "The 1st address", "host:6379"),
                wrong(() -> Holdfast.connect("redis://a", "redis://b", "redis://a:6379"), "redis://a:6379", "once"),
                wrong(() -> Holdfast.connect("redis://u:secret@a", "redis://a:6379"), "redis://a:6379", "once"),
                wrong(() -> Holdfast.forTesting(List.of(), TIME, new Random(1)), "No nodes", "at least one"));
    }

    private static Arguments wrong(ThrowingCallable input, String value, String remedy) {
        return Arguments.of(input, value, remedy);
    }

    @Test
    void lock_nameWithCharactersOfTwoUnits_isAccepted() {
        assertThat(HOLDFAST.lock("\uD83D\uDE00").resource()).isEqualTo("\uD83D\uDE00");
    }

    /** Some of these would fail later on another thread, or be taken for the text "null". */
    @SuppressWarnings("NullAway")
    static Stream<Arguments> nullInputs() {
        LockOptionsBuilder builder = LockOptions.builder();
        HoldfastOptionsBuilder client = HoldfastOptions.builder();
        DistributedLock lock = HOLDFAST.lock("a");
        CompletableFuture<Lease> held = HOLDFAST.lock("held").acquireAsync();
        CompletableFuture<MultiLease> several =
                MultiLock.of(HOLDFAST, List.of("of a set")).acquireAsync();
        TIME.settle();
        Lease lease = Completed.value(held);
        HeldRecord record = lease.record();
        record.readAsync();
        Duration none = null;
        LockOptions noOptions = null;
        String noText = null;
        return Stream.of(
                missing("waitLimit", () -> builder.waitLimit(none)),
                missing("lease", () -> builder.lease(none)),
                missing("holdLimit", () -> builder.holdLimit(none)),
                missing("nodeTimeout", () -> builder.nodeTimeout(none)),
                missing("retryDelay", () -> builder.retryDelays(none, Duration.ofSeconds(1))),
                missing("retryDelayLimit", () -> builder.retryDelays(Duration.ofSeconds(1), none)),
                missing("maxLease", () -> client.maxLease(none)),
                missing("connectTimeout", () -> client.connectTimeout(none)),
                missing("restarts", () -> client.restarts(null)),
                missing("waitLimit", () -> lock.acquire(none)),
                missing("waitLimit", () -> lock.tryAcquire(none)),
                missing("waitLimit", () -> lock.acquireAsync(none)),
                missing("lockOptions", () -> lock.acquire(noOptions)),
                missing("lockOptions", () -> lock.acquireAsync(noOptions)),
                missing("resource", () -> HOLDFAST.lock(null)),
                missing("lockOptions", () -> HOLDFAST.lock("a", null)),
                missing("listener", () -> HOLDFAST.onEvent(null)),
                missing("handle", () -> HOLDFAST.attach(null, LockOptions.DEFAULT)),
                missing("handle", () -> DetachedLease.parse(null)),
                missing("resource", () -> HOLDFAST.admin().status(null)),
                missing("resource", () -> HOLDFAST.admin().record(null)),
                missing("note", () -> HOLDFAST.admin().breakLock("a", null)),
                missing("callback", () -> lease.onLost(null)),
                missing("note", () -> lease.annotate(null)),
                missing("lease", () -> lease.extendAsync(null)),
                missing("duration", () -> lease.ensureValidFor(null)),
                missing("limit", () -> lease.limit(null)),
                missing("keep", () -> lease.releaseAsync(null)),
                missing("text", () -> record.writeAsync(noText, Duration.ofSeconds(1))),
                missing("keep", () -> record.writeAsync("text", none)),
                missing("candidate", () -> LeaderElection.start(lock, null)),
                missing("callback", () -> Completed.value(several).onLost(null)),
                missing("name", () -> DistributedSemaphore.of(HOLDFAST, null, 2)));
    }

    private static Arguments missing(String name, ThrowingCallable input) {
        return Arguments.of(name, input);
    }

    @ParameterizedTest
    @MethodSource("nullInputs")
    void give_null_isRefusedWithItsName(String name, ThrowingCallable input) {
        assertThatNullPointerException().isThrownBy(input).withMessage(name + " is null; give a " + name);
    }

    @Test
    void lease_tooShort_namesTheShortestAndNotRenewal() {
        LockOptionsBuilder options = LockOptions.builder().lease(Duration.ofMillis(9));
        HoldfastOptionsBuilder clients = HoldfastOptions.builder().maxLease(Duration.ZERO);

        assertThatIllegalArgumentException()
                .isThrownBy(options::build)
                .withMessage("lease PT0.009S is shorter than PT0.01S; give at least PT0.01S");
        assertThatIllegalArgumentException()
                .isThrownBy(clients::build)
                .withMessage("maxLease PT0S is shorter than PT0.01S; give at least PT0.01S");
    }

    @Test
    void maxLease_tooLong_namesTheRemedyForALongerHold() {
        HoldfastOptionsBuilder clients = HoldfastOptions.builder().maxLease(Duration.ofHours(25));

        assertThatIllegalArgumentException()
                .isThrownBy(clients::build)
                .withMessageStartingWith("maxLease PT25H is longer than PT24H; for a longer hold leave renewal on");
    }

    /** The most that a lease can last is what the client allows, not what any client could allow. */
    @Test
    void extend_outOfRange_namesTheBoundAndTheRemedy() {
        Holdfast bounded = Holdfast.over(
                UnreliableNode.several(1, TIME),
                HoldfastOptions.builder().restarts(RestartPolicy.DURABLE).build(),
                TIME,
                new Random(1));
        CompletableFuture<Lease> lease = bounded.lock("bounded").acquireAsync();
        TIME.settle();

        assertThatIllegalArgumentException()
                .isThrownBy(() -> Completed.value(lease).extend(Duration.ZERO))
                .withMessage("lease PT0S is shorter than PT0.01S; give at least PT0.01S");
        assertThatIllegalArgumentException()
                .isThrownBy(() -> Completed.value(lease).extend(Duration.ofHours(25)))
                .withMessageContaining("longer than maxLease PT1M");
    }

    @Test
    @SuppressWarnings("NullAway")
    void credentials_sourceReturnsNull_isNamedWithTheRemedy() {
        assertThatIllegalStateException()
                .isThrownBy(() -> ConnectionSecurity.current(() -> null))
                .withMessage("the credentials source returned null; return a user and a password");
        assertThatIllegalStateException()
                .isThrownBy(() -> ConnectionSecurity.current(() -> new Credentials("u", null)))
                .withMessage("the credentials source returned null as the password; return one");
    }

    /** The longest times of Java do not fit into nanoseconds. */
    @Test
    void durations_longestOfJava_areLimits() throws Exception {
        try (SystemTime time = new SystemTime();
                Holdfast holdfast = Holdfast.forTesting(List.of(new InMemoryNode("a", time)), time, new Random())) {
            ReentrantDistributedLock lock = ReentrantDistributedLock.of(holdfast.lock("longest"));

            assertThat(lock.tryLock(Long.MAX_VALUE, TimeUnit.DAYS)).isTrue();
            assertThat(holdfast.admin().standings(Duration.ofSeconds(Long.MAX_VALUE)))
                    .hasSize(1);
            HeldRecord record = lock.lease().orElseThrow().record();
            record.read();
            assertThatThrownBy(() -> record.write("text", Duration.ofSeconds(Long.MAX_VALUE)))
                    .isInstanceOf(IllegalArgumentException.class)
                    .hasMessageContaining("is not between 1 ms and");
        }
    }

    @ParameterizedTest
    @MethodSource("wrongInputs")
    void give_wrongInput_isRefusedWithValueAndRemedy(ThrowingCallable input, String value, String remedy) {
        assertThatThrownBy(input)
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining(value)
                .hasMessageContaining(remedy);
    }
}
