package io.holdfast.testkit.contract;

import static io.holdfast.servers.Eventually.eventually;
import static org.assertj.core.api.Assertions.assertThat;

import io.holdfast.Holdfast;
import io.holdfast.HoldfastOptions;
import io.holdfast.Lease;
import io.holdfast.LockOptions;
import io.holdfast.RestartPolicy;
import io.holdfast.admin.LockStatus;
import io.holdfast.lease.LeaseState;
import io.holdfast.lease.ReleaseOutcome;
import io.holdfast.servers.PatientOptions;
import io.holdfast.servers.RedisServer;
import io.holdfast.servers.RedisServers;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Test;

/** A contract of the essentials, which have to work with each version of a Redis client, on three real servers. */
public abstract class EssentialsContract {

    private static final LockOptions OPTIONS = PatientOptions.LOCK;
    private static final HoldfastOptions DURABLE =
            PatientOptions.CLIENT.toBuilder().restarts(RestartPolicy.DURABLE).build();

    @AutoClose
    private final RedisServers servers = RedisServers.start(3);

    /** Returns the version of the client on the class path. */
    protected abstract Optional<String> clientVersion();

    @Test
    void clientVersion_onTheClassPath_isTheVersionOfTheBuild() {
        String expected = System.getProperty("holdfast.client.version");

        assertThat(clientVersion()).isPresent();
        if (expected != null) {
            assertThat(clientVersion()).hasValue(expected);
        }
    }

    @Test
    void lock_acquireExtendDowngradeRelease_succeed() throws InterruptedException {
        try (Holdfast here = Holdfast.connect(servers.addresses(), PatientOptions.CLIENT);
                Holdfast there = Holdfast.connect(servers.addresses(), PatientOptions.CLIENT)) {
            Lease lease = here.lock("a", OPTIONS).acquire();
            assertThat(lease.extend(OPTIONS.lease())).isTrue();
            assertThat(there.lock("a", OPTIONS).tryAcquire()).isEmpty();
            assertThat(lease.downgrade()).isTrue();
            there.lock("a", OPTIONS).shared().acquire().close();
            assertThat(lease.release()).isEqualTo(ReleaseOutcome.RELEASED);
        }
    }

    @Test
    void lock_unusualName_hasTheDocumentedKeyAndIsListed() throws InterruptedException {
        String name = "{\n  \"id\": 42\n}";
        try (Holdfast here = Holdfast.connect(servers.addresses(), PatientOptions.CLIENT);
                Holdfast there = Holdfast.connect(servers.addresses(), PatientOptions.CLIENT)) {
            Lease lease = here.lock(name, OPTIONS).acquire();

            assertThat(there.lock(name, OPTIONS).tryAcquire()).isEmpty();
            assertThat(there.admin().list()).extracting(LockStatus::resource).contains(name);
            eventually(
                    "the first server has the documented key",
                    () -> lease.owner()
                            .token()
                            .equals(servers.get(0).exec("GET", "holdfast:name:%7B%0A%20%20%22id%22%3A%2042%0A%7D")));
            assertThat(lease.release()).isEqualTo(ReleaseOutcome.RELEASED);
        }
    }

    /** One waiter is in the same process, another in another client. */
    @Test
    void release_localAndRemoteWaiters_areGranted() throws Exception {
        try (Holdfast here = Holdfast.connect(servers.addresses(), PatientOptions.CLIENT);
                Holdfast there = Holdfast.connect(servers.addresses(), PatientOptions.CLIENT)) {
            Lease first = here.lock("a", OPTIONS).acquire();
            CompletableFuture<Lease> near = here.lock("a", OPTIONS).acquireAsync();
            CompletableFuture<Lease> far = there.lock("a", OPTIONS).acquireAsync();

            first.close();
            near.thenAccept(Lease::close);
            far.thenAccept(Lease::close);

            assertThat(near.get().fencingToken().isAbove(first.fencingToken())).isTrue();
            assertThat(far.get().fencingToken().isAbove(first.fencingToken())).isTrue();
        }
    }

    @Test
    void status_held_namesTheHolder() throws InterruptedException {
        try (Holdfast here = Holdfast.connect(
                        servers.addresses(),
                        PatientOptions.CLIENT.toBuilder().name("here").build());
                Holdfast there = Holdfast.connect(servers.addresses(), PatientOptions.CLIENT);
                Lease lease = here.lock("a", OPTIONS).acquire()) {
            eventually(
                    "the holder is named",
                    () -> there.admin().status("a").holders().stream()
                            .anyMatch(holder -> holder.name().equals("here")));
            assertThat(lease.isValid()).isTrue();
        }
    }

    @Test
    void acquire_serverIsRestarted_locksStayAvailableAndItVotesAgain() throws InterruptedException {
        try (Holdfast client = Holdfast.connect(servers.addresses(), DURABLE)) {
            Lease held = client.lock("a", OPTIONS).acquire();
            RedisServer victim = servers.get(0);
            victim.kill();

            client.lock("b", OPTIONS).acquire().close();
            assertThat(held.extend(OPTIONS.lease())).isTrue();
            victim.restartEmpty();

            eventually("the server votes again", () -> {
                client.lock("c", OPTIONS).acquire().close();
                return Long.valueOf(1).equals(victim.exec("EXISTS", "{c}:holdfast:fence"));
            });
            assertThat(held.state()).isEqualTo(LeaseState.HELD);
            servers.get(1).kill();
            client.lock("d", OPTIONS).acquire().close();
        }
    }
}
