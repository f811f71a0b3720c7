package io.holdfast.lettuce;

import static io.holdfast.servers.Eventually.eventually;
import static java.util.concurrent.TimeUnit.MILLISECONDS;
import static org.assertj.core.api.Assertions.assertThat;

import io.holdfast.Holdfast;
import io.holdfast.Lease;
import io.holdfast.LockOptions;
import io.holdfast.lease.LeaseState;
import io.holdfast.node.Claim;
import io.holdfast.servers.PatientOptions;
import io.holdfast.servers.RedisServers;
import io.holdfast.testkit.LeaseWatch;
import io.holdfast.testkit.fault.FaultProxy;
import java.time.Duration;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executor;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** A lease that was handed over by another process outlives an interruption of its network. */
@Tag("server")
@Tag("evidence")
class InterruptionOnServersTest {

    private static final LockOptions LOCK =
            PatientOptions.LOCK.toBuilder().lease(Duration.ofSeconds(30)).build();

    private static final int MOST_LOOKS = 100;

    private final RedisServers servers = RedisServers.start(3);
    private final List<FaultProxy> network = IntStream.range(0, servers.count())
            .mapToObj(i -> FaultProxy.to(servers.get(i).uri()))
            .toList();
    private final Holdfast holder = Holdfast.connect(servers.addresses(), PatientOptions.CLIENT);
    private final Holdfast waiter = Holdfast.connect(
            network.stream().map(proxy -> proxy.uri().toString()).toList(), PatientOptions.CLIENT);

    @AfterEach
    void close() {
        network.forEach(FaultProxy::pass);
        waiter.close();
        holder.close();
        network.forEach(FaultProxy::close);
        servers.close();
    }

    @Test
    void handOver_networkIsCutAtOnce_keepsTheLeaseForMoreThanASecond() throws InterruptedException {
        Lease lease = handedOver();

        cutFor(Duration.ofMillis(1_200), lease);
    }

    @Test
    void handOver_networkIsCutAfterTheExtension_keepsTheLeaseForAlmostAThird() throws InterruptedException {
        Lease lease = handedOver();
        eventually("it is extended", () -> lease.remaining().compareTo(Claim.STANDING_TTL) > 0);

        cutFor(Duration.ofMillis(9_500), lease);
    }

    /** A claim stands for half a second. A machine that does not see it by then tries another lock. */
    private Lease handedOver() throws InterruptedException {
        for (int attempt = 0; ; attempt++) {
            String name = "a" + attempt;
            Lease first = holder.lock(name, LOCK).acquire();
            CompletableFuture<Lease> second = waiter.lock(name, LOCK).acquireAsync();
            CompletableFuture<Duration> left = second.thenApply(Lease::remaining);
            boolean stands = IntStream.range(0, MOST_LOOKS).anyMatch(look -> standsOnAll(name));
            first.releaseAsync();
            Lease lease = second.join();
            if (stands && left.join().compareTo(Claim.STANDING_TTL) < 0) {
                return lease;
            }
            lease.close();
        }
    }

    private boolean standsOnAll(String name) {
        return IntStream.range(0, servers.count())
                .allMatch(i -> Objects.equals(servers.get(i).exec("EXISTS", "{" + name + "}:holdfast:claims"), 1L));
    }

    private void cutFor(Duration length, Lease lease) {
        network.forEach(FaultProxy::hold);
        Executor afterwards = CompletableFuture.delayedExecutor(length.toMillis(), MILLISECONDS);
        CompletableFuture.runAsync(() -> network.forEach(FaultProxy::pass), afterwards)
                .join();
        LeaseWatch.awaitExtension(List.of(lease));
        assertThat(lease.state()).isEqualTo(LeaseState.HELD);
    }
}
