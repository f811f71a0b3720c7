package io.holdfast;

import static org.assertj.core.api.Assertions.assertThat;

import io.holdfast.admin.LockAdmin;
import io.holdfast.admin.LockStatus;
import io.holdfast.admin.LockWatch;
import io.holdfast.admin.NodeChange;
import io.holdfast.node.ForwardingNode;
import io.holdfast.node.LockNode;
import io.holdfast.node.NodeAdmin;
import io.holdfast.node.NodeAnswer;
import io.holdfast.node.NodeLockStatus;
import io.holdfast.node.NodeStanding;
import io.holdfast.node.NodeStatus;
import io.holdfast.node.QuarantineProbe;
import io.holdfast.node.memory.InMemoryNode;
import io.holdfast.record.LockRecord;
import io.holdfast.time.VirtualTime;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The view of an administrator while the nodes are being changed. */
class PreviousNodesAdminTest {

    private static final String LOCK = "a";
    private static final HoldfastOptions DURABLE =
            HoldfastOptions.builder().restarts(RestartPolicy.DURABLE).build();

    private static final LockOptions FOREVER =
            LockOptions.builder().waitLimit(LockOptions.FOREVER).build();

    private final VirtualTime time = new VirtualTime();
    private final List<LockNode> present = Stream.of("1", "2", "3")
            .<LockNode>map(name -> new InMemoryNode(name, time))
            .toList();
    private final OldNode old = new OldNode(new InMemoryNode("old", time));
    private final Holdfast ofPrevious = Holdfast.over(List.of(old), DURABLE, time, new Random(1));
    private final Holdfast ofPresent = Holdfast.over(present, DURABLE, time, new Random(2));
    private final Holdfast ofBoth = Holdfast.over(present, List.of(old), DURABLE, time, new Random(3));
    private final LockAdmin admin = ofBoth.admin();

    /** A node that can fail. */
    private static final class OldNode extends ForwardingNode {

        private boolean isDown;

        OldNode(LockNode node) {
            super(node);
        }

        @Override
        public NodeAdmin admin() {
            return isDown ? new NodeAdmin() {} : super.admin();
        }

        @Override
        public CompletionStage<NodeStanding> probe(QuarantineProbe probe) {
            return isDown ? CompletableFuture.completedFuture(new NodeStanding.Unknown("down")) : super.probe(probe);
        }
    }

    private Lease acquire(Holdfast client) {
        CompletableFuture<Lease> lease =
                client.lock(LOCK).tryAcquireAsync().thenApply(granted -> granted.orElseThrow());
        time.advance(Duration.ofSeconds(1));
        return Completed.value(lease);
    }

    private Holdfast alone(boolean isPrevious) {
        return isPrevious ? ofPrevious : ofPresent;
    }

    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    void status_heldByAClientOfOneSet_isHeld(boolean isPrevious) {
        acquire(alone(isPrevious));

        LockStatus status = admin.status(LOCK);

        assertThat(status.held()).isPresent();
        assertThat(status.isDisputed()).isFalse();
        assertThat(status.nodes()).extracting(NodeAnswer::node).containsExactly("1", "2", "3", "old");
        assertThat(admin.list()).extracting(LockStatus::resource).containsExactly(LOCK);
        assertThat(admin.list(0)).isEmpty();
    }

    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    void watch_heldByAClientOfOneSet_isHeld(boolean isPrevious) {
        acquire(alone(isPrevious));

        LockWatch.Reading reading = admin.watch().read();

        assertThat(reading.locks()).singleElement().satisfies(lock -> {
            assertThat(lock.status().held()).isPresent();
            assertThat(lock.status().isDisputed()).isFalse();
        });
        assertThat(reading.nodes()).extracting(node -> node.status().name()).containsExactly("1", "2", "3");
        assertThat(reading.previous()).extracting(node -> node.status().name()).containsExactly("old");
    }

    /** A client of both sets stands on the one that is free, while it waits for the other one. */
    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    void status_clientOfBothWaitsForAClientOfOneSet_isHeldByThat(boolean isPrevious) {
        acquire(alone(isPrevious));
        String holder = admin.status(LOCK).held().orElseThrow().holder();
        ofBoth.lock(LOCK, FOREVER).acquireAsync();
        time.advance(Duration.ofSeconds(1));

        LockStatus status = admin.status(LOCK);

        assertThat(status.views()).filteredOn(NodeLockStatus::isHeld).hasSize(4);
        assertThat(status.held().map(NodeLockStatus::holder)).contains(holder);
        assertThat(status.isDisputed()).isTrue();
    }

    @Test
    void status_ofNoNode_isNotHeld() {
        LockStatus none = new LockStatus(LOCK, List.of(), Map.of());

        assertThat(none.mayBeHeld()).isFalse();
        assertThat(none.isQuorum()).isFalse();
        assertThat(none.isDisputed()).isFalse();
        assertThat(none.held()).isEmpty();
    }

    @Test
    void status_heldByAClientOfBoth_isThatOfEachNode() {
        acquire(ofBoth);

        assertThat(admin.status(LOCK).views()).hasSize(4).allMatch(NodeLockStatus::isHeld);
        assertThat(admin.status(LOCK).isDisputed()).isFalse();
    }

    @Test
    void status_free_isFreeOnlyIfEachSetAnswers() {
        assertThat(admin.status(LOCK).mayBeHeld()).isFalse();
        assertThat(admin.status(LOCK).isQuorum()).isTrue();
        assertThat(admin.list()).isEmpty();

        old.isDown = true;

        assertThat(admin.status(LOCK).mayBeHeld()).isTrue();
        assertThat(admin.status(LOCK).isQuorum()).isFalse();
    }

    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    void breakLock_heldByAClientOfOneSet_isFree(boolean isPrevious) {
        acquire(alone(isPrevious));
        LockStatus status = admin.status(LOCK);

        List<NodeAnswer<Boolean>> answers = admin.breakLock(LOCK);

        assertThat(answers).hasSize(4);
        assertThat(status.isEndedBy(answers)).isTrue();
        assertThat(acquire(ofBoth).isValid()).isTrue();
    }

    /** A client of the previous set alone may hold the lock there, unless a client of the present one holds it. */
    @Test
    void breakLock_noAnswerOfThePreviousSet_endsHoldsOnThePresentOne() {
        old.isDown = true;
        LockStatus free = admin.status(LOCK);
        assertThat(free.isEndedBy(admin.breakLock(LOCK))).isFalse();

        acquire(ofPresent);
        LockStatus held = admin.status(LOCK);

        assertThat(held.isEndedBy(admin.breakLock(LOCK))).isTrue();
        assertThat(ofPresent.admin().status(LOCK).held()).isEmpty();
    }

    @Test
    void breakLock_noAnswerOfTheSetOfTheHolder_doesNotEndTheHold() {
        acquire(ofPrevious);
        LockStatus held = admin.status(LOCK);
        old.isDown = true;

        assertThat(held.isEndedBy(admin.breakLock(LOCK))).isFalse();
    }

    @Test
    void watch_noMajorityOfThePreviousSet_saysThatLocksMayBeMissing() {
        acquire(ofPresent);
        old.isDown = true;

        LockWatch.Reading reading = admin.watch().read();

        assertThat(reading.locks())
                .singleElement()
                .extracting(lock -> lock.status().held().isPresent())
                .isEqualTo(true);
        assertThat(reading.names().isComplete()).isFalse();
        assertThat(reading.names().error())
                .isEqualTo("only 3 of 3 servers, and 0 of 1 of the previous set, can list their locks; old: down;"
                        + " if no client of that set is left, give this one the present set alone");
    }

    @Test
    void watch_nodesAreClosedToThisClient_showsTheirLocks() {
        acquire(ofPrevious);
        NodeChange change = ofBoth.admin().change();
        change.next();
        change.next();

        LockWatch.Reading reading = ofPrevious.admin().watch().read();

        assertThat(reading.nodes()).extracting(node -> node.status().state()).containsExactly(NodeStatus.State.CLOSED);
        assertThat(reading.locks())
                .singleElement()
                .extracting(lock -> lock.status().held().isPresent())
                .isEqualTo(true);
        assertThat(reading.names().isComplete()).isTrue();
    }

    /** A client of both sets waits under another name on the nodes of the previous one. */
    @Test
    void queue_clientOfBothWaits_isOneClientToEachSet() {
        acquire(ofBoth);
        Holdfast waiter = Holdfast.over(present, List.of(old), DURABLE, time, new Random(4));
        waiter.lock(LOCK, FOREVER).acquireAsync();
        time.advance(Duration.ofSeconds(1));

        String known = ofPresent.admin().status(LOCK).queue().get(0).client();

        assertThat(ofPrevious.admin().status(LOCK).queue())
                .extracting(NodeLockStatus.Waiter::client)
                .containsExactly(known);
        assertThat(admin.status(LOCK).queue())
                .extracting(NodeLockStatus.Waiter::client)
                .containsExactly(known);
    }

    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    void record_writtenByAClientOfOneSet_isFound(boolean isPrevious) {
        HeldRecord record = acquire(alone(isPrevious)).record();
        record.readAsync();
        record.writeAsync("text", Duration.ofHours(1));
        time.advance(Duration.ofSeconds(1));

        LockRecord read = admin.record(LOCK);

        assertThat(read.text()).isEqualTo("text");
        assertThat(read.isLatest()).isTrue();
        assertThat(admin.recorded()).containsExactly(LOCK);
    }

    @Test
    void standings_ofBothSets_areThoseOfThePresentOne() {
        assertThat(admin.standings()).hasSize(3);
        assertThat(admin.admit()).hasSize(3);
        LockAdmin ofOldNode = admin.previous().orElseThrow();
        assertThat(ofOldNode.standings()).hasSize(1);
        assertThat(ofOldNode.previous()).isEmpty();
    }
}
