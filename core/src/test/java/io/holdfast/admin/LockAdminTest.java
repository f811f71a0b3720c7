package io.holdfast.admin;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.holdfast.Holdfast;
import io.holdfast.node.Diagnosis;
import io.holdfast.node.ForwardingNode;
import io.holdfast.node.LockNode;
import io.holdfast.node.NodeAdmin;
import io.holdfast.node.NodeAnswer;
import io.holdfast.node.NodeLockStatus;
import io.holdfast.node.NodeStanding;
import io.holdfast.node.QuarantineProbe;
import io.holdfast.node.QuorumConfig;
import io.holdfast.node.memory.InMemoryNode;
import io.holdfast.time.ForwardingTime;
import io.holdfast.time.SystemTime;
import io.holdfast.time.Time;
import io.holdfast.time.VirtualTime;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Random;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;

/** An administrator of nodes that do not answer, or answer late, in real time. */
@Tag("slow")
@Execution(ExecutionMode.CONCURRENT)
class LockAdminTest {

    private static final Duration MAX_LEASE = Duration.ofMinutes(1);

    @AutoClose
    private final SystemTime time = new SystemTime();

    private final List<AdministeredNode> nodes = IntStream.range(0, 3)
            .mapToObj(i -> new AdministeredNode(new InMemoryNode("node-" + i, time)))
            .toList();

    /** The ways in which a node answers an administrator. */
    private enum Manner {
        ANSWERS,
        HANGS,
        HANGS_AFTER_NAMES,
        CANNOT_BE_EXAMINED,
        ANSWERS_LAST_OF_GROUP,
        SENDS_SLOW_PAGES,
        SENDS_PAGES_WITHOUT_END
    }

    /** An in-memory node that counts the questions of an administrator. */
    private final class AdministeredNode extends ForwardingNode implements NodeAdmin {

        private static final int GROUP = 500;
        private static final int SLOW_PAGES = 6;

        private final List<QuarantineProbe> probes = new ArrayList<>();
        private final AtomicInteger pages = new AtomicInteger();
        private final List<Runnable> open = new ArrayList<>();
        private Manner manner = Manner.ANSWERS;
        private List<String> names = List.of();
        private int inspected;

        AdministeredNode(InMemoryNode node) {
            super(node);
        }

        @Override
        public CompletionStage<NodeStanding> probe(QuarantineProbe probe) {
            probes.add(probe);
            return manner == Manner.HANGS ? new CompletableFuture<>() : super.probe(probe);
        }

        @Override
        public NodeAdmin admin() {
            return this;
        }

        @Override
        public CompletionStage<NamePage> names(String from) {
            int page = pages.incrementAndGet();
            if (manner == Manner.HANGS) {
                return new CompletableFuture<>();
            } else if (manner == Manner.SENDS_SLOW_PAGES && page <= SLOW_PAGES) {
                CompletableFuture<NamePage> slow = new CompletableFuture<>();
                time.schedule(Duration.ofMillis(600), () -> slow.complete(new NamePage(List.of(), 0, "page " + page)));
                return slow;
            } else if (manner == Manner.SENDS_PAGES_WITHOUT_END) {
                return CompletableFuture.supplyAsync(
                        () -> new NamePage(Collections.nCopies(1_000, "order"), 1_000, "page " + page));
            } else if (!names.isEmpty()) {
                return CompletableFuture.completedFuture(new NamePage(names, names.size(), NamePage.START));
            }
            return super.admin().names(from);
        }

        @Override
        public CompletionStage<NodeLockStatus> inspect(String resource) {
            inspected++;
            CompletableFuture<NodeLockStatus> status = new CompletableFuture<>();
            if (manner == Manner.HANGS || manner == Manner.HANGS_AFTER_NAMES) {
                return status;
            } else if (manner != Manner.ANSWERS_LAST_OF_GROUP) {
                return super.admin().inspect(resource);
            }
            open.add(() -> node().admin().inspect(resource).thenAccept(status::complete));
            if (open.size() == GROUP) {
                open.forEach(Runnable::run);
                open.clear();
            }
            return status;
        }

        @Override
        public CompletionStage<Diagnosis> examine(Time client) {
            return switch (manner) {
                case HANGS -> new CompletableFuture<>();
                case CANNOT_BE_EXAMINED -> throw new IllegalStateException("of the test");
                default -> super.admin().examine(client);
            };
        }
    }

    private LockAdmin admin(boolean guarded) {
        return new LockAdmin(List.copyOf(nodes), new QuorumConfig(3, MAX_LEASE), guarded, time, resource -> {});
    }

    private void hold(List<String> names) throws InterruptedException {
        Holdfast holdfast = Holdfast.forTesting(nodes, time, new Random(7));
        for (String name : names) {
            holdfast.lock(name).acquire();
        }
    }

    private static List<String> names(int count) {
        return IntStream.range(0, count).mapToObj(i -> "lock-" + (100_000 + i)).toList();
    }

    @Test
    void list_heldForHours_containsTheLock() {
        VirtualTime clock = new VirtualTime();
        List<String> kept = new ArrayList<>();
        LockNode node = new ForwardingNode(new InMemoryNode("node", clock)) {
            @Override
            public NodeAdmin admin() {
                NodeAdmin real = super.admin();
                return new NodeAdmin() {
                    @Override
                    public CompletionStage<Boolean> keepListed(String resource) {
                        kept.add(resource);
                        return real.keepListed(resource);
                    }

                    @Override
                    public CompletionStage<NamePage> names(String from) {
                        return real.names(from);
                    }

                    @Override
                    public CompletionStage<NodeLockStatus> inspect(String resource) {
                        return real.inspect(resource);
                    }
                };
            }
        };
        try (Holdfast client = Holdfast.forTesting(List.of(node), clock, new Random(7))) {
            client.lock("leader").acquireAsync();
            clock.advance(Duration.ofHours(2));

            assertThat(client.admin().list()).extracting(LockStatus::resource).containsExactly("leader");
            // The servers drop the name after half an hour.
            assertThat(kept).hasSizeBetween(11, 12).containsOnly("leader");
        }
    }

    @Test
    void examine_oneNodeThrows_saysWhyAndExaminesTheOthers() {
        nodes.get(1).manner = Manner.CANNOT_BE_EXAMINED;

        assertThat(admin(true).examine())
                .hasSize(3)
                .filteredOn(node -> node.toString().contains("it cannot be examined: of the test"))
                .hasSize(1);
    }

    /** A wait of a closed client: its timers never fire. */
    private static final class ClosedTime extends ForwardingTime {

        private final VirtualTime clock;

        ClosedTime(VirtualTime clock) {
            super(clock);
            this.clock = clock;
        }

        @Override
        public boolean await(CompletableFuture<?> future, Duration limit) {
            if (!future.isDone()) {
                clock.pause(limit);
            }
            return future.isDone();
        }
    }

    @Test
    void anyMethod_nodeHangsAndClientIsClosed_endsAtTheLimit() {
        nodes.get(2).manner = Manner.HANGS;
        VirtualTime clock = new VirtualTime();
        LockAdmin admin = new LockAdmin(
                List.copyOf(nodes), new QuorumConfig(3, MAX_LEASE), true, new ClosedTime(clock), resource -> {});

        assertThat(admin.examine().get(2).toString()).contains("no answer within 5 s");
        assertThat(admin.admit()).hasSize(3);
        assertThat(admin.status("a").nodes().get(2).toString()).contains("no answer within 2 s");
        assertThat(admin.standings(Duration.ofMillis(100)).get(2).toString()).contains("UNREACHABLE");
        assertThat(admin.list()).isEmpty();
        assertThat(Duration.ofNanos(clock.now().nanos())).isLessThan(Duration.ofSeconds(30));
    }

    @Test
    void admit_nodeDoesNotAnswerTheFirstProbe_isNotSentTheAdmission() {
        nodes.get(2).manner = Manner.HANGS;

        List<NodeAnswer<Boolean>> answers = admin(true).admit();

        assertThat(answers).filteredOn(NodeAnswer::isPresent).hasSize(2);
        assertThat(answers.get(2).error()).isEqualTo("no answer");
        assertThat(nodes.get(2).probes).hasSize(1).noneMatch(QuarantineProbe::isAdmission);
        assertThat(nodes.get(0).probes).hasSize(2);
    }

    @Test
    void list_nodeHangs_isAskedOnlyOnce() throws InterruptedException {
        hold(names(120));
        nodes.get(2).manner = Manner.HANGS;

        List<LockStatus> locks = admin(false).list();

        assertThat(locks).extracting(LockStatus::resource).containsExactlyElementsOf(names(120));
        assertThat(locks).allSatisfy(lock -> assertThat(lock.held()).isPresent());
        assertThat(locks.get(119).nodes().get(2).error()).isEqualTo("no answer within 2 s");
        assertThat(nodes.get(2).inspected).isZero();
        assertThat(nodes.get(2).pages).hasValue(1);
    }

    @Test
    void list_nodeHangsAfterItsNames_isAskedForOneGroupOnly() throws InterruptedException {
        hold(names(1_100));
        nodes.get(2).manner = Manner.HANGS_AFTER_NAMES;

        List<LockStatus> locks = admin(false).list();

        assertThat(locks)
                .hasSize(1_100)
                .allSatisfy(lock -> assertThat(lock.held()).isPresent());
        assertThat(nodes.get(2).inspected).isEqualTo(500);
    }

    /** Each node answers only when a whole group of questions has arrived. */
    @Test
    void list_manyNames_asksForAGroupOfStatesAtOnce() {
        nodes.forEach(node -> {
            node.names = names(1_000);
            node.manner = Manner.ANSWERS_LAST_OF_GROUP;
        });

        assertThat(admin(false).list()).isEmpty();
        assertThat(nodes).allSatisfy(node -> assertThat(node.inspected).isEqualTo(1_000));
    }

    @Test
    void list_limit_asksForFewStates() throws InterruptedException {
        hold(names(300));

        assertThat(admin(false).list(2)).extracting(LockStatus::resource).containsExactlyElementsOf(names(2));
        assertThat(nodes.get(0).inspected).isEqualTo(50);
        assertThatThrownBy(() -> admin(false).list(-1))
                .hasMessage("limit -1 is negative; give zero or a number of locks");
    }

    /** The pages take longer in all than the limit of one answer. */
    @Test
    void list_namesTakeLongerThanOneAnswer_areReadToTheEnd() throws InterruptedException {
        hold(List.of("held"));
        nodes.get(1).manner = Manner.HANGS;
        nodes.get(2).manner = Manner.SENDS_SLOW_PAGES;

        assertThat(admin(false).list()).extracting(LockStatus::resource).containsExactly("held");
    }

    @Test
    void list_namesWithoutEnd_fails() {
        nodes.get(0).manner = Manner.SENDS_PAGES_WITHOUT_END;
        nodes.get(1).manner = Manner.SENDS_PAGES_WITHOUT_END;

        assertThatThrownBy(() -> admin(false).list())
                .hasMessageContaining(
                        "only 1 of 3 servers can list their locks; node-0: its list of locks does not end");
    }
}
