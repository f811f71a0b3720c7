package io.holdfast.spring.integration;

import static io.holdfast.servers.Eventually.eventually;
import static org.assertj.core.api.Assertions.assertThat;

import io.holdfast.Holdfast;
import io.holdfast.HoldfastOptions;
import io.holdfast.LockOptions;
import io.holdfast.RestartPolicy;
import io.holdfast.event.LockEvent;
import io.holdfast.servers.PatientOptions;
import io.holdfast.servers.RedisServers;
import java.time.Duration;
import java.util.Objects;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.springframework.integration.leader.Context;
import org.springframework.integration.leader.DefaultCandidate;
import org.springframework.integration.support.leader.LockRegistryLeaderInitiator;

/** Spring Integration's leader election on three servers, one of which is killed. */
@Tag("server")
class LeaderInitiatorTest {

    private static final HoldfastOptions OPTIONS = PatientOptions.CLIENT.toBuilder()
            .restarts(RestartPolicy.UNSAFE_IMMEDIATE)
            .build();
    private static final LockOptions LOCK = PatientOptions.LOCK.toBuilder()
            .lease(Duration.ofSeconds(6))
            .nodeTimeout(Duration.ofSeconds(1))
            .build();

    private final Queue<String> history = new ConcurrentLinkedQueue<>();

    /** Writes down who leads. */
    private final class Recorder extends DefaultCandidate {

        private final String name;

        Recorder(String name) {
            super(name, "shop");
            this.name = name;
        }

        @Override
        public void onGranted(Context context) {
            history.add(name + " leads");
        }

        @Override
        public void onRevoked(Context context) {
            history.add(name + " is revoked");
        }
    }

    private LockRegistryLeaderInitiator initiator(String name, Holdfast holdfast) {
        LockRegistryLeaderInitiator initiator = new LockRegistryLeaderInitiator(
                new HoldfastLockRegistry(holdfast, "leaders", LOCK), new Recorder(name));
        initiator.setHeartBeatMillis(50);
        initiator.setBusyWaitMillis(20);
        return initiator;
    }

    @Test
    void leader_oneServerIsKilled_leadsUntilItStops() {
        try (RedisServers servers = RedisServers.start(3);
                Holdfast one = Holdfast.connect(servers.addresses(), OPTIONS);
                Holdfast two = Holdfast.connect(servers.addresses(), OPTIONS)) {
            Queue<LockEvent> events = new ConcurrentLinkedQueue<>();
            LockRegistryLeaderInitiator first = initiator("first", one);
            LockRegistryLeaderInitiator second = initiator("second", two);
            first.start();
            eventually("the first leads", () -> history.contains("first leads"));
            // A node that was not connected yet gets the lock with the first renewal. Before that, it would store an
            // attempt of the second candidate.
            eventually("all servers have the lock", () -> holders(one) == 3);
            second.start();

            servers.get(0).kill();
            one.onEvent(events::add);
            eventually("the lease is renewed twice without the server", () -> confirmed(events) >= 2);

            assertThat(history).containsExactly("first leads");
            assertThat(first.getContext().isLeader()).isTrue();
            assertThat(second.getContext().isLeader()).isFalse();

            first.stop();
            eventually("the second leads", () -> history.contains("second leads"));
            eventually("the first knows", () -> history.contains("first is revoked"));
            second.stop();
        }
    }

    private static long holders(Holdfast holdfast) {
        return holdfast.admin().status("leaders:shop").nodes().stream()
                .filter(node ->
                        node.isPresent() && Objects.requireNonNull(node.value()).isHeld())
                .count();
    }

    private static long confirmed(Queue<LockEvent> events) {
        return events.stream()
                .filter(event -> event instanceof LockEvent.Renewed renewed && renewed.confirmed())
                .count();
    }

    /** The candidate sees the loss at its next heart beat, and stands again. */
    @Test
    void leader_leaseIsTakenAway_isRevokedAndElectedAgain() {
        try (RedisServers servers = RedisServers.start(3);
                Holdfast one = Holdfast.connect(servers.addresses(), OPTIONS)) {
            LockRegistryLeaderInitiator first = initiator("first", one);
            first.start();
            eventually("the first leads", () -> history.contains("first leads"));

            one.admin().breakLock("leaders:shop");

            eventually("it leads again", () -> history.size() >= 3);
            assertThat(history).startsWith("first leads", "first is revoked", "first leads");
            first.stop();
        }
    }
}
