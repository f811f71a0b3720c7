package io.holdfast.node.memory;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.holdfast.Completed;
import io.holdfast.Holdfast;
import io.holdfast.Lease;
import io.holdfast.LockOptions;
import io.holdfast.admin.LockStatus;
import io.holdfast.lease.Loss;
import io.holdfast.lease.LossReason;
import io.holdfast.lease.Owner;
import io.holdfast.node.Diagnosis;
import io.holdfast.node.Diagnosis.Finding;
import io.holdfast.node.NodeAnswer;
import io.holdfast.node.NodeLockStatus;
import io.holdfast.time.VirtualTime;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.Random;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Test;

/** The administration of nodes in memory, in virtual time. */
class InMemoryNodeTest {

    private static final String RESOURCE = "order:42";
    private static final Duration LEASE = Duration.ofSeconds(30);

    private final VirtualTime time = new VirtualTime();
    private final List<InMemoryNode> nodes =
            List.of(new InMemoryNode("a", time), new InMemoryNode("b", time), new InMemoryNode("c", time));
    private final Holdfast holdfast = Holdfast.forTesting(nodes, time, new Random(7));
    private final List<LossReason> losses = new ArrayList<>();

    private Lease acquired() {
        return granted(holdfast.lock(RESOURCE).acquireAsync());
    }

    private Lease granted(CompletableFuture<Lease> request) {
        time.settle();
        Lease lease = Completed.value(request);
        lease.onLost((Loss loss) -> losses.add(loss.reason()));
        return lease;
    }

    private NodeLockStatus status(int node) {
        LockStatus status = holdfast.admin().status(RESOURCE);
        return Objects.requireNonNull(status.nodes().get(node).value());
    }

    @Test
    void status_heldWithANoteAndAWaiter_showsAllOfThem() {
        Lease lease = acquired();
        lease.annotate("host 7");
        Holdfast elsewhere = Holdfast.forTesting(nodes, time, new Random(8));
        elsewhere.lock(RESOURCE).acquireAsync();
        time.advance(Duration.ofSeconds(1));

        NodeLockStatus status = status(1);

        assertThat(status.isHeld()).isTrue();
        assertThat(status.holder()).isEqualTo(lease.owner().mark());
        assertThat(status.timeLeft()).isEqualTo(LEASE.minusSeconds(1));
        assertThat(status.fence()).isGreaterThanOrEqualTo(lease.fencingToken());
        assertThat(status.queue()).hasSize(1);
        assertThat(status.note().text()).isEqualTo("host 7");
        assertThat(status.token()).contains(lease.fencingToken());
        assertThat(holdfast.admin().status(RESOURCE).held()).isPresent();
    }

    @Test
    void status_heldShared_countsTheHolders() {
        granted(holdfast.lock(RESOURCE).shared().acquireAsync());
        Lease second = granted(holdfast.lock(RESOURCE).shared().acquireAsync());
        assertThat(status(0).holder()).isEqualTo("shared");
        assertThat(status(0).shares()).isEqualTo(2);
        second.annotate("one of two");
        assertThat(status(0).token()).as("each holder has its own").isEmpty();

        second.releaseAsync();
        time.settle();

        assertThat(status(0).shares()).isEqualTo(1);
    }

    @Test
    void status_noteOfAnEarlierHolder_isNotShown() {
        Lease first = acquired();
        first.annotate("the first");
        first.releaseAsync();
        time.settle();
        assertThat(status(0))
                .isEqualTo(new NodeLockStatus(
                        "",
                        0,
                        Duration.ZERO,
                        nodes.get(0).fence(RESOURCE),
                        List.of(),
                        List.of(),
                        NodeLockStatus.Note.NONE,
                        false));

        Lease second = acquired();
        assertThat(status(0).note().text()).isEmpty();
        second.annotate("the second");
        assertThat(status(0).note().text()).isEqualTo("the second");
        second.annotate("");
        assertThat(status(0).note().text()).isEmpty();
    }

    @Test
    void list_heldAndFreeLocks_hasTheHeldOnes() {
        acquired();
        Lease free = granted(holdfast.lock("free").acquireAsync());
        free.releaseAsync();
        time.settle();

        assertThat(holdfast.admin().list()).extracting(LockStatus::resource).containsExactly(RESOURCE);
    }

    @Test
    void list_limit_hasTheFirstLocksByName() {
        for (String name : List.of("c", "a", "d", "b")) {
            granted(holdfast.lock(name).acquireAsync());
        }

        assertThat(holdfast.admin().list(2)).extracting(LockStatus::resource).containsExactly("a", "b");
        assertThat(holdfast.admin().list(0)).isEmpty();
        assertThatThrownBy(() -> holdfast.admin().list(-1)).isInstanceOf(IllegalArgumentException.class);
    }

    @Test
    void breakLock_heldByThisClient_freesItAndTheHolderIsNotifiedAtOnce() {
        acquired();
        Lease another = granted(holdfast.lock("another").acquireAsync());
        Duration before = another.remaining();
        time.advance(Duration.ofSeconds(1));

        List<NodeAnswer<Boolean>> first = holdfast.admin().breakLock(RESOURCE);
        List<NodeAnswer<Boolean>> second = holdfast.admin().breakLock(RESOURCE);
        holdfast.admin().breakLock("unknown");
        time.settle();

        assertThat(another.remaining()).isEqualTo(before.minusSeconds(1));
        assertThat(first).extracting(NodeAnswer::value).containsExactly(true, true, true);
        assertThat(second).extracting(NodeAnswer::value).containsExactly(false, false, false);
        assertThat(losses).containsExactly(LossReason.EXPIRED);
    }

    @Test
    void breakLock_withANote_isShownWhileTheLockIsFreeForAMinute() {
        acquired();
        holdfast.admin().breakLock(RESOURCE, "the administrator");

        assertThat(holdfast.admin().status(RESOURCE).nodes())
                .extracting(node -> Objects.requireNonNull(node.value()))
                .allSatisfy(view -> {
                    assertThat(view.note().text()).isEqualTo("the administrator");
                    assertThat(view.token()).isEmpty();
                    assertThat(view.isHeld()).isFalse();
                });

        time.advance(Duration.ofMinutes(1));
        assertThat(holdfast.admin().status(RESOURCE).nodes())
                .extracting(node -> Objects.requireNonNull(node.value()).note())
                .containsOnly(NodeLockStatus.Note.NONE);
    }

    @Test
    void examine_sameClock_findsNothing() {
        acquired();

        Diagnosis diagnosis =
                Objects.requireNonNull(holdfast.admin().examine().get(0).value());

        assertThat(diagnosis.facts())
                .containsEntry("kind", "in memory")
                .containsEntry("locks", 1)
                .containsEntry("clockOffsetMillis", 0L)
                .containsEntry("votes", true);
        assertThat(diagnosis.findings()).isEmpty();
    }

    @Test
    void examine_clientClockIsFarAhead_isAnError() {
        VirtualTime ahead = new VirtualTime();
        ahead.stepWallClock(Duration.ofSeconds(11));

        Diagnosis diagnosis = Completed.value(nodes.get(0).admin().examine(ahead));

        assertThat(diagnosis.findings()).singleElement().satisfies(finding -> {
            assertThat(finding.severity()).isEqualTo(Finding.Severity.ERROR);
            assertThat(finding.text()).contains("more than 10 s ahead");
        });
    }

    @Test
    void flush_afterANote_deletesIt() {
        Lease lease = acquired();
        lease.annotate("a note");
        nodes.get(0).flush();
        time.advance(LEASE);

        assertThat(nodes.get(0).isHeldBy(lease.owner(), RESOURCE))
                .as("repaired")
                .isTrue();
        assertThat(status(0).note().text()).isEmpty();
        assertThat(status(1).note().text()).isEqualTo("a note");
    }

    @Test
    void evict_held_returnsTrueOnce() {
        Owner owner = acquired().owner();
        assertThat(nodes.get(0).isHeldBy(owner, RESOURCE)).isTrue();

        assertThat(nodes.get(0).evict(RESOURCE)).isTrue();
        assertThat(nodes.get(0).evict(RESOURCE)).isFalse();
    }

    @Test
    void holdLimit_reached_isTheReason() {
        LockOptions limited = LockOptions.builder().holdLimit(LEASE).build();
        granted(holdfast.lock(RESOURCE, limited).acquireAsync());

        time.advance(LEASE);

        assertThat(losses).containsExactly(LossReason.HOLD_LIMIT);
    }
}
