package io.holdfast;

import static org.assertj.core.api.Assertions.assertThat;

import io.holdfast.lease.LeaseState;
import io.holdfast.lease.Owner;
import io.holdfast.lease.ReleaseOutcome;
import io.holdfast.node.memory.InMemoryNode;
import io.holdfast.time.SystemTime;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.Random;
import java.util.concurrent.Callable;
import java.util.concurrent.CyclicBarrier;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;

/** Races of two real threads that end one lease in different ways: one of them wins, and the other observes it. */
@Tag("slow")
@Execution(ExecutionMode.CONCURRENT)
class LeaseRacesTest {

    private static final int ROUNDS = 2_000;
    private static final String RESOURCE = "order:42";

    private final SystemTime time = new SystemTime();
    private final List<InMemoryNode> nodes =
            List.of(new InMemoryNode("a", time), new InMemoryNode("b", time), new InMemoryNode("c", time));
    private final ExecutorService threads = Executors.newFixedThreadPool(2);
    private final CyclicBarrier start = new CyclicBarrier(2);

    @AfterEach
    void end() {
        threads.shutdownNow();
        time.close();
    }

    private record Both<A, B>(A one, B other) {}

    private <A, B> Both<A, B> race(Callable<A> one, Callable<B> other) throws Exception {
        Future<A> first = threads.submit(() -> {
            start.await();
            return one.call();
        });
        Future<B> second = threads.submit(() -> {
            start.await();
            return other.call();
        });
        return new Both<>(first.get(), second.get());
    }

    private Holdfast client() {
        return Holdfast.forTesting(nodes, time, new Random(1));
    }

    @Test
    void release_fromTwoThreads_releasesOnceAndReturnsTheOutcomeToBoth() throws Exception {
        Holdfast client = client();
        for (int i = 0; i < ROUNDS; i++) {
            Lease lease = client.lock(RESOURCE).acquire();

            Both<ReleaseOutcome, ReleaseOutcome> outcomes = race(lease::release, lease::release);

            assertThat(outcomes).isEqualTo(new Both<>(ReleaseOutcome.RELEASED, ReleaseOutcome.RELEASED));
            assertIsFree();
        }
    }

    @Test
    void release_againstALoss_endsOneWay() throws Exception {
        for (int i = 0; i < ROUNDS; i++) {
            Holdfast client = client();
            Lease lease = client.lock(RESOURCE).acquire();

            ReleaseOutcome outcome = race(lease::release, () -> closed(client)).one();

            if (lease.state() == LeaseState.LOST) {
                assertThat(outcome).isEqualTo(ReleaseOutcome.NOT_HELD);
            }
            assertIsFree();
        }
    }

    @Test
    void release_againstADetach_releasesOrDetaches() throws Exception {
        Holdfast client = client();
        for (int i = 0; i < ROUNDS; i++) {
            Lease lease = client.lock(RESOURCE).acquire();
            List<@Nullable Owner> before = owners();

            Both<ReleaseOutcome, Boolean> ended = race(lease::release, () -> detached(lease));

            assertThat(ended.one()).isEqualTo(ended.other() ? ReleaseOutcome.NOT_HELD : ReleaseOutcome.RELEASED);
            if (ended.other()) {
                assertThat(owners()).isEqualTo(before);
                client.attach(lease.handle(), LockOptions.DEFAULT).close();
            }
            assertIsFree();
        }
    }

    @Test
    void detach_againstTheCloseOfTheHoldfast_detachesOrReleases() throws Exception {
        Holdfast successor = client();
        for (int i = 0; i < ROUNDS; i++) {
            Holdfast client = client();
            Lease lease = client.lock(RESOURCE).acquire();
            List<@Nullable Owner> before = owners();

            boolean detached = race(() -> detached(lease), () -> closed(client)).one();

            if (detached) {
                assertThat(owners()).isEqualTo(before);
                successor.attach(lease.handle(), LockOptions.DEFAULT).close();
            }
            assertIsFree();
        }
    }

    /** The nodes keep the lock of a lease whose limit is over; the client that closes removes it. */
    @Test
    void limit_againstTheCloseOfTheHoldfast_leavesNothing() throws Exception {
        for (int i = 0; i < 5 * ROUNDS; i++) {
            Holdfast client = client();
            Lease lease = client.lock(RESOURCE).acquire();

            race(() -> ended(lease), () -> closed(client));

            assertIsFree();
        }
    }

    private static boolean ended(Lease lease) {
        try {
            lease.limit(Duration.ZERO);
        } catch (LeaseLostException closed) {
            return false;
        }
        return lease.state() == LeaseState.LOST;
    }

    /** A release that ignored the downgrade would leave the shared hold on the nodes. */
    @Test
    void downgrade_againstARelease_leavesNothing() throws Exception {
        Holdfast client = client();
        for (int i = 0; i < 5 * ROUNDS; i++) {
            Lease lease = client.lock(RESOURCE).acquire();

            ReleaseOutcome outcome =
                    race(lease::release, () -> downgraded(lease)).one();

            assertThat(outcome).isEqualTo(ReleaseOutcome.RELEASED);
            assertIsFree();
        }
    }

    /**
     * Returns the owner on each node. It may be missing on one of them: two clients that propose a fence in the same
     * microsecond propose the same one.
     */
    private List<@Nullable Owner> owners() {
        List<@Nullable Owner> owners = new ArrayList<>();
        nodes.forEach(node -> owners.add(node.ownerOf(RESOURCE)));
        return owners;
    }

    private void assertIsFree() {
        for (InMemoryNode node : nodes) {
            @Nullable Owner owner = node.ownerOf(RESOURCE);
            assertThat(owner).as(node.name()).isNull();
        }
    }

    private static boolean closed(Holdfast client) {
        client.close();
        return true;
    }

    private static boolean detached(Lease lease) {
        try {
            return Objects.nonNull(lease.detach());
        } catch (LeaseLostException released) {
            return false;
        }
    }

    private static boolean downgraded(Lease lease) {
        try {
            return lease.downgrade();
        } catch (LeaseLostException released) {
            return false;
        }
    }
}
