package io.holdfast.admin;

import static org.assertj.core.api.Assertions.assertThat;

import io.holdfast.Holdfast;
import io.holdfast.HoldfastOptions;
import io.holdfast.Lease;
import io.holdfast.RestartPolicy;
import io.holdfast.admin.LockWatch.Reading;
import io.holdfast.lease.ClientDescription;
import io.holdfast.node.ForwardingNode;
import io.holdfast.node.NodeAdmin;
import io.holdfast.node.NodeLockStatus;
import io.holdfast.node.NodeStanding;
import io.holdfast.node.NodeStatus;
import io.holdfast.node.QuarantineProbe;
import io.holdfast.node.QuorumConfig;
import io.holdfast.node.memory.InMemoryNode;
import io.holdfast.time.VirtualTime;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

class LockWatchTest {

    private static final Duration STEP = Duration.ofMillis(500);

    private final VirtualTime time = new VirtualTime();
    private final List<WatchedNode> nodes =
            IntStream.range(0, 3).mapToObj(WatchedNode::new).toList();
    private final Holdfast client = Holdfast.over(
            nodes,
            HoldfastOptions.builder()
                    .restarts(RestartPolicy.DURABLE)
                    .name("orders@pod-7")
                    .build(),
            time,
            new Random(7));
    private final LockWatch watch = new LockAdmin(
                    List.copyOf(nodes), new QuorumConfig(3, Duration.ofMinutes(1)), false, time, resource -> {})
            .watch();

    /** A node that counts the questions about locks, and does not answer if it is silent. */
    private final class WatchedNode extends ForwardingNode implements NodeAdmin {

        private final Map<String, Integer> inspected = new HashMap<>();
        private final List<NamePage> pages = new ArrayList<>();
        private boolean isSilent;
        private boolean isThrowing;
        private int marked;
        private int markedNames;
        private int listed;

        WatchedNode(int index) {
            super(new InMemoryNode("node-" + index, time));
        }

        private <T> CompletionStage<T> unlessSilent(CompletionStage<T> answer) {
            if (isThrowing) {
                throw new IllegalStateException("planned");
            }
            return isSilent ? new CompletableFuture<>() : answer;
        }

        @Override
        public NodeAdmin admin() {
            return this;
        }

        @Override
        public CompletionStage<NodeStanding> probe(QuarantineProbe probe) {
            return isSilent ? new CompletableFuture<>() : super.probe(probe);
        }

        @Override
        public CompletionStage<NodeLockStatus> inspect(String resource) {
            inspected.merge(resource, 1, Integer::sum);
            return unlessSilent(super.admin().inspect(resource));
        }

        @Override
        public CompletionStage<List<Integer>> marks(List<String> resources) {
            marked++;
            markedNames += resources.size();
            return unlessSilent(super.admin().marks(resources));
        }

        @Override
        public CompletionStage<NamePage> names(String from) {
            listed++;
            return pages.isEmpty()
                    ? unlessSilent(super.admin().names(from))
                    : CompletableFuture.completedFuture(pages.get(from.isEmpty() ? 0 : Integer.parseInt(from)));
        }

        @Override
        public CompletionStage<Void> describe(String id, ClientDescription description, Duration keep) {
            return super.admin().describe(id, description, keep);
        }

        @Override
        public CompletionStage<Map<String, ClientDescription>> clients(List<String> ids) {
            return unlessSilent(super.admin().clients(ids));
        }
    }

    private Lease hold(String name) {
        CompletableFuture<Lease> lease = client.lock(name).acquireAsync();
        time.advance(Duration.ofMillis(1));
        return lease.join();
    }

    private List<String> heldIn(Reading reading) {
        return reading.locks().stream()
                .filter(lock -> lock.status().held().isPresent())
                .map(lock -> lock.status().resource())
                .toList();
    }

    private Reading next() {
        time.advance(STEP);
        return watch.read();
    }

    @Test
    void read_lockIsAcquiredAndReleased_isSeenAtOnce() {
        assertThat(watch.read().locks()).isEmpty();

        Lease lease = hold("order:1");
        assertThat(heldIn(next())).containsExactly("order:1");

        lease.releaseAsync();
        assertThat(next().locks())
                .extracting(lock -> lock.status().isHeldSomewhere())
                .containsExactly(false);
        assertThat(next().locks()).isEmpty();
        hold("order:1");
        assertThat(heldIn(next())).containsExactly("order:1");
    }

    @Test
    void read_nothingChanges_inspectsSeldom() {
        IntStream.range(0, 100).forEach(i -> hold("order:" + i));
        watch.read();
        time.advance(Duration.ofSeconds(2));
        watch.read();
        nodes.forEach(node -> node.inspected.clear());

        IntStream.range(0, 12).forEach(i -> next());

        assertThat(nodes.get(0).inspected.values()).containsOnly(2);
        assertThat(nodes.get(0).marked).isEqualTo(14);
    }

    @Test
    void read_leaseIsExtended_isSeenWithinThreeSeconds() {
        hold("order:1");
        IntStream.range(0, 200).forEach(i -> {
            Reading reading = next();
            assertThat(heldIn(reading)).containsExactly("order:1");
            Duration known =
                    reading.locks().get(0).status().held().orElseThrow().timeLeft();
            assertThat(known.minus(time.now().surelySince(reading.locks().get(0).read())))
                    .isGreaterThan(Duration.ofSeconds(16));
        });
    }

    @Test
    void read_clientDescribesItselfLater_isNamed() {
        hold("order:1");
        assertThat(watch.read().locks().get(0).status().holders()).isEmpty();

        assertThat(next().locks().get(0).status().holders()).hasSize(1);
    }

    @Test
    void read_nodeIsSilent_isWaitedForOnce() {
        hold("order:1");
        watch.read();
        nodes.get(2).isSilent = true;

        long begun = System.nanoTime();
        IntStream.range(0, 3).forEach(i -> assertThat(heldIn(next())).containsExactly("order:1"));

        assertThat(Duration.ofNanos(System.nanoTime() - begun)).isLessThan(Duration.ofMillis(1_200));
        assertThat(watch.read().nodes())
                .extracting(node -> node.status().state())
                .containsExactly(NodeStatus.State.VOTES, NodeStatus.State.VOTES, NodeStatus.State.UNREACHABLE);
        hold("order:2");
        assertThat(heldIn(next())).containsExactly("order:1", "order:2");
    }

    @Test
    void read_mostNodesAreSilent_locksAreUnknown() {
        hold("order:1");
        watch.read();
        nodes.get(1).isSilent = true;
        nodes.get(2).isSilent = true;

        Reading reading = next();

        assertThat(reading.locks())
                .hasSize(1)
                .allSatisfy(lock -> assertThat(lock.status().isQuorum()).isFalse());
    }

    /** A server of a million keys, of which each page has 2,000. */
    @Test
    void read_manyForeignKeys_areReadAtABoundedRate() {
        nodes.forEach(node -> IntStream.rangeClosed(1, 500)
                .forEach(i -> node.pages.add(new NodeAdmin.NamePage(
                        i == 499 ? List.of("order:1") : List.of(), 2_000, i == 500 ? "" : Integer.toString(i)))));
        hold("order:1");

        assertThat(watch.read().names().isComplete()).isFalse();
        IntStream.range(0, 400).forEach(i -> next());
        assertThat(nodes.get(0).listed).isBetween(400, 405);
        assertThat(heldIn(next())).isEmpty();

        IntStream.range(0, 100).forEach(i -> next());
        Reading reading = next();
        assertThat(heldIn(reading)).containsExactly("order:1");
        assertThat(reading.names().isComplete()).isTrue();
        assertThat(reading.names().keys()).isEqualTo(1_000_000);
    }

    @Test
    void read_namesThatAreFree_areNotInspected() {
        List<String> names =
                IntStream.range(0, 7_000).mapToObj(i -> "order:" + i).toList();
        nodes.forEach(node -> node.pages.add(new NodeAdmin.NamePage(names, 7_000, "")));
        hold("order:7");

        assertThat(heldIn(watch.read())).containsExactly("order:7");
        assertThat(nodes.get(0).inspected).containsOnlyKeys("order:7");
    }

    @Test
    void read_moreFreeNamesThanAreKept_checksThoseThatWereHeldLast() {
        List<String> names =
                IntStream.range(0, 7_000).mapToObj(i -> "order:" + i).toList();
        nodes.forEach(node -> node.pages.add(new NodeAdmin.NamePage(names, 1_000_000, "")));
        nodes.get(2).pages.set(0, new NodeAdmin.NamePage(List.of("job"), 1_000_000, ""));
        Lease lease = hold("job");
        watch.read();
        lease.releaseAsync();
        next();
        int before = nodes.get(0).markedNames;

        next();
        assertThat(nodes.get(0).markedNames - before).isEqualTo(2_000);
        hold("job");
        assertThat(heldIn(next())).containsExactly("job");
    }

    /** A reading knows the names of some keys only, of which all may be shown. */
    @Test
    void read_moreLocksThanAreShown_eachReadingSaysSo() {
        for (int i = 0; i < 5_100; i++) {
            client.lock("order:" + i).acquireAsync();
        }
        List<Reading> readings = Stream.generate(this::next).limit(24).toList();

        List<Reading> full = readings.stream()
                .dropWhile(reading -> reading.names().left() == 0)
                .toList();
        assertThat(full).hasSizeGreaterThan(5).allSatisfy(reading -> {
            assertThat(reading.locks()).hasSize(5_000);
            assertThat(reading.names().left()).isBetween(1, 100);
        });
    }

    @Test
    void read_nodeThrows_isReadWithoutIt() {
        nodes.get(2).isThrowing = true;
        hold("order:1");
        Reading without = watch.read();
        assertThat(heldIn(without)).containsExactly("order:1");
        assertThat(without.names().error()).isEqualTo("planned");

        nodes.get(2).isThrowing = false;
        int before = nodes.get(2).listed;
        hold("order:2");
        Reading with = next();
        assertThat(heldIn(with)).containsExactly("order:1", "order:2");
        assertThat(with.names().error()).isEmpty();
        assertThat(nodes.get(2).listed).isGreaterThan(before);
    }

    @Test
    void read_wallClockIsSetBack_goesOnAsBefore() {
        hold("order:1");
        IntStream.range(0, 4).forEach(i -> next());
        time.stepWallClock(Duration.ofHours(-1));
        hold("order:2");

        IntStream.range(0, 20).forEach(i -> {
            assertThat(heldIn(next())).containsExactly("order:1", "order:2");
            assertThat(watch.read().locks())
                    .allSatisfy(
                            lock -> assertThat(time.now().since(lock.read())).isLessThan(Duration.ofSeconds(4)));
        });
    }
}
