package io.holdfast.testkit.contract;

import static io.holdfast.servers.Eventually.eventually;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.holdfast.Holdfast;
import io.holdfast.HoldfastOptions;
import io.holdfast.Lease;
import io.holdfast.LockOptions;
import io.holdfast.QuorumUnreachableException;
import io.holdfast.lease.FencingToken;
import io.holdfast.servers.PatientOptions;
import io.holdfast.servers.RedisServers;
import java.time.Duration;
import java.util.List;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

/**
 * The change of the nodes without a stop: from one server to three, the first of which takes part in both sets, with
 * another database. Runs on real servers, with the client that is on the class path.
 */
@SuppressWarnings("NullAway.Init")
public abstract class ChangeOfNodesContract {

    private static final Duration SHORT = Duration.ofSeconds(30);
    private static final LockOptions OPTIONS =
            PatientOptions.LOCK.toBuilder().lease(SHORT).build();
    private static final LockOptions AT_ONCE =
            OPTIONS.toBuilder().waitLimit(Duration.ZERO).build();

    private static final int ROUNDS = 5;
    private static final int REPLIES = 20;

    private static RedisServers servers;

    private final String resource = "change:" + UUID.randomUUID();

    @BeforeAll
    static void start() {
        servers = RedisServers.start(3);
        try (Holdfast present = present()) {
            present.admin().admit();
        }
    }

    @AfterAll
    static void stop() {
        servers.close();
    }

    private static List<String> old() {
        return List.of(servers.addresses().get(0));
    }

    private static List<String> addresses() {
        return List.of(
                servers.addresses().get(0) + "/1",
                servers.addresses().get(1),
                servers.addresses().get(2));
    }

    private static HoldfastOptions options() {
        return PatientOptions.CLIENT.toBuilder().maxLease(Duration.ofMinutes(5)).build();
    }

    private static Holdfast previous() {
        return Holdfast.connect(old(), options().toBuilder().maxLease(SHORT).build());
    }

    private static Holdfast both() {
        return Holdfast.connect(
                addresses(),
                options().toBuilder()
                        .previousNodes(old())
                        .previousMaxLease(SHORT)
                        .build());
    }

    private static Holdfast present() {
        return Holdfast.connect(addresses(), options());
    }

    @Test
    void acquire_clientsOfEachKindInTurn_excludeEachOtherAndTokensGrow() throws Exception {
        FencingToken last = FencingToken.NONE;
        try (Holdfast previous = previous();
                Holdfast both = both();
                Holdfast present = present()) {
            for (Holdfast holder : List.of(previous, both, present, both, previous)) {
                try (Lease lease = holder.lock(resource, OPTIONS).acquire()) {
                    assertThat(lease.fencingToken()).isGreaterThan(last);
                    last = lease.fencingToken();
                    assertThat(both.lock(resource, AT_ONCE).tryAcquire()).isEmpty();
                }
            }
            try (Lease lease = both.lock(resource, OPTIONS).acquire()) {
                assertThat(lease.isValid()).isTrue();
                assertThat(previous.lock(resource, AT_ONCE).tryAcquire()).isEmpty();
                assertThat(present.lock(resource, AT_ONCE).tryAcquire()).isEmpty();
            }
        }
    }

    @Test
    void acquire_clientOfBothWaits_isGrantedByTheReleaseOfEither() throws Exception {
        try (Holdfast previous = previous();
                Holdfast both = both();
                Holdfast present = present()) {
            for (Holdfast holder : List.of(previous, present)) {
                Lease lease = holder.lock(resource, OPTIONS).acquire();
                CompletableFuture<Lease> waiter = both.lock(resource, OPTIONS).acquireAsync();
                lease.release();
                waiter.get(OPTIONS.waitLimit().toSeconds(), TimeUnit.SECONDS).close();
            }
        }
    }

    /**
     * Each server is a node of both sets, with two databases, whose waiters are not in the same order. Otherwise the
     * messages of one database would count as grants of the other one.
     */
    @Test
    void release_databasesGrantTheLockToDifferentWaiters_oneHolds() throws Exception {
        List<String> before = databases(2);
        List<String> now = databases(3);
        HoldfastOptions joint = options().toBuilder()
                .previousNodes(before)
                .previousMaxLease(SHORT)
                .build();
        try (Holdfast old = Holdfast.connect(
                        before, options().toBuilder().maxLease(SHORT).build());
                Holdfast alone = Holdfast.connect(now, options());
                Holdfast holder = Holdfast.connect(now, joint);
                Holdfast waiter = Holdfast.connect(now, joint)) {
            old.admin().admit();
            alone.admin().admit();
            for (int round = 0; round < ROUNDS; round++) {
                String name = resource + round;
                Lease held = holder.lock(name, OPTIONS).acquire();
                CompletableFuture<Lease> first = alone.lock(name, OPTIONS).acquireAsync();
                queued(alone, name, 1);
                CompletableFuture<Lease> second = waiter.lock(name, OPTIONS).acquireAsync();
                queued(alone, name, 2);

                held.release();
                Lease next = first.get(OPTIONS.waitLimit().toSeconds(), TimeUnit.SECONDS);
                // A message that counted wrongly would have been received before these replies.
                for (int i = 0; i < REPLIES; i++) {
                    assertThat(alone.admin().status(name).held()).isPresent();
                }
                assertThat(second).as("while another client holds the lock").isNotDone();
                next.release();
                second.get(OPTIONS.waitLimit().toSeconds(), TimeUnit.SECONDS).close();
            }
        }
    }

    private static List<String> databases(int number) {
        return servers.addresses().stream()
                .map(address -> address + "/" + number)
                .toList();
    }

    private static void queued(Holdfast client, String name, int waiters) {
        eventually(
                waiters + " clients wait",
                () -> client.admin().status(name).queue().size() == waiters);
    }

    @Test
    void acquire_previousNodeIsDown_isUnreachable() throws Exception {
        try (RedisServers other = RedisServers.start(1);
                Holdfast both = Holdfast.connect(
                        addresses(),
                        options().toBuilder().previousNodes(other.addresses()).build())) {
            both.lock(resource, AT_ONCE).acquire().close();
            other.get(0).kill();

            assertThatThrownBy(() -> both.lock(resource, AT_ONCE).acquire())
                    .isInstanceOf(QuorumUnreachableException.class)
                    .hasMessageContaining("1 of 1 previous nodes");
        }
    }
}
