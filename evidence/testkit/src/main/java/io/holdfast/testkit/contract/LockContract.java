package io.holdfast.testkit.contract;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.holdfast.DetachedLease;
import io.holdfast.DistributedLock;
import io.holdfast.Holdfast;
import io.holdfast.Lease;
import io.holdfast.LeaseLostException;
import io.holdfast.LockOptions;
import io.holdfast.LockTimeoutException;
import io.holdfast.lease.FencingToken;
import io.holdfast.lease.LeaseState;
import io.holdfast.lease.Loss;
import io.holdfast.lease.LossReason;
import io.holdfast.lease.ReleaseOutcome;
import io.holdfast.servers.PatientOptions;
import io.holdfast.testkit.LeaseWatch;
import java.time.Duration;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/**
 * A contract for a lock, on nodes of any kind and number: a test class for a kind of node extends this class and
 * implements how a client connects. Runs in real time; where time has to pass, it passes while the library waits.
 */
public abstract class LockContract extends ClientsContract {

    private static final LockOptions OPTIONS = PatientOptions.LOCK;

    private final String resource = "contract:{" + UUID.randomUUID() + "}";

    @ParameterizedTest
    @EnumSource
    void acquire_free_isHeldAndValidForAlmostTheLease(Size size) throws InterruptedException {
        Lease lease = client(size).lock(resource, OPTIONS).acquire();

        assertThat(lease.state()).isEqualTo(LeaseState.HELD);
        assertThat(lease.remaining()).isBetween(OPTIONS.lease().dividedBy(2), OPTIONS.lease());
        assertThat(lease.resource()).isEqualTo(resource);
    }

    /** The retry delay is longer than the test, so each waiter depends on its notification. */
    @ParameterizedTest
    @EnumSource
    void acquire_severalClientsWait_eachIsNotified(Size size) throws Exception {
        LockOptions patient = OPTIONS.toBuilder()
                .retryDelays(Duration.ofMillis(20), Duration.ofMinutes(10))
                .build();
        Lease held = client(size).lock(resource, OPTIONS).acquire();
        List<CompletableFuture<FencingToken>> turns = new ArrayList<>();
        for (int i = 0; i < 3; i++) {
            DistributedLock lock = client(size).lock(resource, patient);
            for (int k = 0; k < 2; k++) {
                turns.add(lock.acquireAsync().thenApply(lease -> {
                    assertThat(lease.state()).isEqualTo(LeaseState.HELD);
                    lease.release();
                    return lease.fencingToken();
                }));
            }
        }

        held.release();

        for (CompletableFuture<FencingToken> turn : turns) {
            FencingToken token = turn.get();
            assertThat(token.isAbove(held.fencingToken())).isTrue();
        }
        assertThat(turns.stream().map(CompletableFuture::join)).doesNotHaveDuplicates();
    }

    @ParameterizedTest
    @EnumSource
    void tryAcquire_heldByAnotherClient_isEmptyUntilItIsReleased(Size size) throws InterruptedException {
        Holdfast other = client(size);
        Lease first = client(size).lock(resource, OPTIONS).acquire();
        assertThat(other.lock(resource, OPTIONS).tryAcquire()).isEmpty();

        assertThat(first.release()).isEqualTo(ReleaseOutcome.RELEASED);

        Lease second = other.lock(resource, OPTIONS).acquire();
        assertThat(second.fencingToken().isAbove(first.fencingToken())).isTrue();
    }

    /** The retry delay is longer than the test, so each waiter depends on what the nodes report about the time left. */
    @ParameterizedTest
    @EnumSource
    void release_withATimeToKeep_waitersAcquireSoonAfterIt(Size size) throws Exception {
        Duration keep = Duration.ofMillis(700);
        LockOptions patient = OPTIONS.toBuilder()
                .retryDelays(Duration.ofMillis(20), Duration.ofMinutes(10))
                .build();
        Holdfast holder = client(size);
        Lease held = holder.lock(resource, OPTIONS).acquire();
        List<CompletableFuture<Lease>> waiting = List.of(
                holder.lock(resource, patient).acquireAsync(),
                client(size).lock(resource, patient).acquireAsync());
        waiting.forEach(turn -> turn.thenAccept(Lease::releaseAsync));
        long begun = System.nanoTime();

        assertThat(held.release(keep)).isEqualTo(ReleaseOutcome.RELEASED);

        assertThat(held.state()).isEqualTo(LeaseState.RELEASED);
        CompletableFuture.anyOf(waiting.toArray(CompletableFuture<?>[]::new)).get();
        assertThat(Duration.ofNanos(System.nanoTime() - begun))
                .isGreaterThan(keep.multipliedBy(9).dividedBy(10));
        for (CompletableFuture<Lease> turn : waiting) {
            assertThat(turn.get().fencingToken().isAbove(held.fencingToken())).isTrue();
        }
    }

    @ParameterizedTest
    @EnumSource
    void release_withATimeToKeepAndTheClientCloses_keepsTheLock(Size size) throws Exception {
        Holdfast holder = client(size);
        Lease held = holder.lock(resource, OPTIONS).acquire();

        assertThat(held.release(OPTIONS.lease())).isEqualTo(ReleaseOutcome.RELEASED);
        held.close();
        holder.close();

        assertThat(client(size).lock(resource, OPTIONS).tryAcquire()).isEmpty();
    }

    /** A lease is not reentrant: the client that holds it waits like any other. */
    @ParameterizedTest
    @EnumSource
    void tryAcquire_heldByTheSameClient_isEmpty(Size size) throws InterruptedException {
        Holdfast client = client(size);
        client.lock(resource, OPTIONS).acquire();

        assertThat(client.lock(resource, OPTIONS).tryAcquire()).isEmpty();
    }

    @ParameterizedTest
    @EnumSource
    void acquire_waitLimitExpires_throwsWithTheTimeLeftAndTheVotes(Size size) throws InterruptedException {
        client(size).lock(resource, OPTIONS).acquire();
        DistributedLock other = client(size).lock(resource, OPTIONS);
        assertThat(other.tryAcquire()).isEmpty();

        assertThatThrownBy(() -> other.acquire(Duration.ofMillis(500)))
                .isInstanceOfSatisfying(LockTimeoutException.class, failure -> {
                    assertThat(failure.remainingHold())
                            .hasValueSatisfying(
                                    left -> assertThat(left).isBetween(Duration.ofMillis(1), OPTIONS.lease()));
                    assertThat(failure.replies()).hasSizeGreaterThan(size.nodes() / 2);
                });
    }

    @ParameterizedTest
    @EnumSource
    void acquireAsync_cancelled_leavesTheLockFree(Size size) throws Exception {
        Lease holder = client(size).lock(resource, OPTIONS).acquire();
        CompletableFuture<Lease> waiter = client(size).lock(resource, OPTIONS).acquireAsync();
        waiter.cancel(true);
        holder.close();

        assertThat(client(size).lock(resource, OPTIONS).acquire().state()).isEqualTo(LeaseState.HELD);
    }

    /** All sizes at once, and a lease that is lost only if nothing extends it for six seconds. */
    @Test
    void renewal_aThirdOfTheLeaseIsOver_extendsIt() throws InterruptedException {
        LockOptions renewed = OPTIONS.toBuilder()
                .lease(Duration.ofSeconds(9))
                .nodeTimeout(Duration.ofSeconds(3))
                .build();
        Map<Size, Lease> leases = new EnumMap<>(Size.class);
        for (Size size : Size.values()) {
            leases.put(size, client(size).lock(resource + size, renewed).acquire());
        }

        LeaseWatch.awaitExtension(leases.values());

        for (Size size : Size.values()) {
            assertThat(client(size).lock(resource + size, OPTIONS).tryAcquire()).isEmpty();
        }
    }

    @ParameterizedTest
    @EnumSource
    void loss_renewalOff_isReportedBeforeAnotherClientHoldsTheLock(Size size) throws Exception {
        LockOptions fleeting = OPTIONS.toBuilder()
                .lease(Duration.ofSeconds(1))
                .nodeTimeout(Duration.ofMillis(800))
                .renewal(false)
                .build();
        Lease lease = client(size).lock(resource, fleeting).acquire();
        CompletableFuture<Loss> lost = lease.lossFuture();

        client(size).lock(resource, OPTIONS).acquire();

        assertThat(lease.state()).isEqualTo(LeaseState.LOST);
        assertThat(lost.get().reason()).isEqualTo(LossReason.EXPIRED);
        assertThat(lease.release()).isEqualTo(ReleaseOutcome.NOT_HELD);
    }

    @ParameterizedTest
    @EnumSource
    void attach_detachedByAnotherClient_keepsTheToken(Size size) throws InterruptedException {
        Holdfast first = client(size);
        Lease begun = first.lock(resource, OPTIONS).acquire();
        DetachedLease handle = DetachedLease.parse(begun.detach().text());
        // After the detach, closing the original lease must not release the lock.
        begun.close();
        assertThat(first.lock(resource, OPTIONS).tryAcquire()).isEmpty();
        first.close();
        Holdfast second = client(size);
        assertThat(second.lock(resource, OPTIONS).tryAcquire()).isEmpty();

        Lease resumed = second.attach(handle, OPTIONS);

        assertThat(begun.state()).isEqualTo(LeaseState.RELEASED);
        assertThat(resumed.fencingToken()).isEqualTo(begun.fencingToken());
        assertThat(resumed.remaining()).isGreaterThan(OPTIONS.lease().dividedBy(2));
        assertThat(resumed.extend(OPTIONS.lease())).isTrue();
        assertThat(resumed.release()).isEqualTo(ReleaseOutcome.RELEASED);
        assertThat(second.lock(resource, OPTIONS).acquire().fencingToken().isAbove(begun.fencingToken()))
                .isTrue();
    }

    @ParameterizedTest
    @EnumSource
    void release_leaseWasAttachedElsewhere_endsTheAttachedLease(Size size) throws Exception {
        Holdfast first = client(size);
        Lease lease = first.lock(resource, OPTIONS).acquire();
        CompletableFuture<Lease> waiter = first.lock(resource, OPTIONS).acquireAsync();
        Lease resumed = client(size).attach(lease.handle(), OPTIONS);

        lease.release();

        assertThat(waiter.get().owner()).isNotEqualTo(lease.owner());
        assertThatThrownBy(() -> resumed.extend(OPTIONS.lease())).isInstanceOf(LeaseLostException.class);
    }

    @ParameterizedTest
    @EnumSource
    void attach_leaseWasReleased_throwsAndLeavesTheLockFree(Size size) throws InterruptedException {
        Lease lease = client(size).lock(resource, OPTIONS).acquire();
        DetachedLease handle = lease.handle();
        lease.release();
        Holdfast other = client(size);

        assertThatThrownBy(() -> other.attach(handle, OPTIONS))
                .isInstanceOf(LeaseLostException.class)
                .hasMessageContaining("not held by this owner any more");
        assertThat(other.lock(resource, OPTIONS).tryAcquire()).isPresent();
        assertThatThrownBy(lease::detach).isInstanceOf(LeaseLostException.class);
    }

    @ParameterizedTest
    @EnumSource
    void extend_held_lengthensTheLease(Size size) throws InterruptedException {
        Lease lease = client(size).lock(resource, OPTIONS).acquire();

        assertThat(lease.extend(Duration.ofMinutes(10))).isTrue();

        assertThat(lease.remaining()).isGreaterThan(Duration.ofMinutes(9));
    }

    @ParameterizedTest
    @EnumSource
    void close_client_releasesWhatItHolds(Size size) throws InterruptedException {
        Holdfast client = client(size);
        Lease lease = client.lock(resource, OPTIONS).acquire();

        client.close();

        assertThat(lease.state().isValid()).isFalse();
        assertThat(client(size).lock(resource, OPTIONS).acquire().state()).isEqualTo(LeaseState.HELD);
    }
}
