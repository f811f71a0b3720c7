package io.holdfast;

import static org.assertj.core.api.Assertions.assertThat;

import io.holdfast.admin.LockAdmin;
import io.holdfast.admin.LockStatus;
import io.holdfast.admin.WaitCycle;
import io.holdfast.admin.WaitCycle.Step;
import io.holdfast.lease.FencingToken;
import io.holdfast.node.NodeAnswer;
import io.holdfast.node.NodeLockStatus;
import io.holdfast.node.NodeLockStatus.Waiter;
import io.holdfast.node.QuorumConfig;
import io.holdfast.node.memory.InMemoryNode;
import io.holdfast.time.AdvancingTime;
import io.holdfast.time.VirtualTime;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Clients that wait for each other are named. */
class WaitCycleTest {

    private static final LockOptions OPTIONS =
            LockOptions.builder().waitLimit(Duration.ofHours(1)).build();

    private static final Instant THEN = Instant.ofEpochSecond(1_700_000_000);
    private static final LockStatus FIRST = lock("first", view("m1", "one", waiter("two")));
    private static final LockStatus SECOND = lock("second", view("m2", "two", waiter("one")));

    private final VirtualTime time = new VirtualTime();
    private final List<InMemoryNode> nodes = List.of(new InMemoryNode("a", time));
    private final LockAdmin admin = new LockAdmin(
            List.copyOf(nodes),
            new QuorumConfig(1, Duration.ofMinutes(1)),
            false,
            new AdvancingTime(time),
            resource -> {});

    private final List<Holdfast> clients =
            IntStream.range(0, 5).mapToObj(i -> client()).toList();

    private Holdfast client() {
        return Holdfast.forTesting(nodes, time, new Random(clients == null ? 1 : clients.size()));
    }

    private Lease held(int client, String lock) {
        var lease = clients.get(client).lock(lock, OPTIONS).acquireAsync();
        time.settle();
        return lease.join();
    }

    private void waits(int client, String lock) {
        clients.get(client).lock(lock, OPTIONS).acquireAsync();
        time.settle();
    }

    private List<WaitCycle> cycles() {
        return admin.waitCycles(admin.list());
    }

    @ParameterizedTest
    @ValueSource(ints = {2, 3, 4, 5})
    void waitCycles_eachWaitsForTheNext_namesAllInTheirOrder(int count) {
        List<String> ids = new ArrayList<>();
        for (int client = 0; client < count; client++) {
            ids.add(held(client, "lock-" + client).owner().client());
        }
        for (int client = 0; client < count; client++) {
            waits(client, "lock-" + (client + 1) % count);
        }

        long asked = time.now().nanos();

        List<WaitCycle> cycles = cycles();

        assertThat(Duration.ofNanos(time.now().nanos() - asked)).isLessThan(Duration.ofSeconds(2));
        assertThat(cycles).hasSize(1);
        List<Step> steps = cycles.get(0).steps();
        assertThat(steps).extracting(Step::client).containsExactlyInAnyOrderElementsOf(ids);
        assertThat(steps)
                .allSatisfy(step ->
                        assertThat(step.waitsFor()).isEqualTo("lock-" + (ids.indexOf(step.client()) + 1) % count));
    }

    @Test
    void waitCycles_waitersWithoutACycle_areNone() {
        held(0, "a");
        held(1, "b");
        waits(2, "a");
        waits(1, "a");
        waits(2, "b");

        assertThat(cycles()).isEmpty();
    }

    /** Its other thread may release the lock. */
    @Test
    void waitCycles_clientWaitsForItself_isNone() {
        held(0, "a");
        waits(0, "a");

        assertThat(cycles()).isEmpty();
    }

    /** A process with several threads is in a cycle for a moment, without a deadlock. */
    @Test
    void waitCycles_cycleThatEndsWithinASecond_isNone() {
        held(0, "a");
        Lease second = held(1, "b");
        waits(0, "b");
        waits(1, "a");
        time.schedule(Duration.ofMillis(500), second::releaseAsync);

        assertThat(cycles()).isEmpty();
    }

    @Test
    void waitCycles_noneSeems_doesNotWait() {
        held(0, "a");
        waits(1, "a");
        long asked = time.now().nanos();

        assertThat(cycles()).isEmpty();

        assertThat(time.now().nanos()).isEqualTo(asked);
    }

    /** Another holder keeps the shared lock from the waiter, which has the same mark. */
    @Test
    void waitCycles_shareIsReleasedWhileAnotherLasts_isNone() {
        held(0, "a");
        var share = clients.get(1).lock("b", OPTIONS).shared().acquireAsync();
        clients.get(2).lock("b", OPTIONS).shared().acquireAsync();
        time.settle();
        waits(0, "b");
        waits(1, "a");
        assertThat(WaitCycle.in(admin.list(), admin.list())).hasSize(1);
        time.schedule(Duration.ofMillis(500), () -> share.join().releaseAsync());

        assertThat(cycles()).isEmpty();
    }

    private static Waiter waiter(String client) {
        return new Waiter(client, Optional.of(THEN));
    }

    private static NodeLockStatus view(String mark, String holder, Waiter... queue) {
        return new NodeLockStatus(
                mark,
                0,
                Duration.ofSeconds(10),
                FencingToken.NONE,
                List.of(holder),
                List.of(queue),
                NodeLockStatus.Note.NONE,
                false);
    }

    private static LockStatus lock(String name, NodeLockStatus... views) {
        return new LockStatus(
                name,
                IntStream.range(0, views.length)
                        .mapToObj(i -> NodeAnswer.of("node-" + i, views[i]))
                        .toList(),
                Map.of());
    }

    private static List<WaitCycle> lasting(List<LockStatus> before, List<LockStatus> later) {
        assertThat(WaitCycle.in(before, before)).hasSize(1);
        return WaitCycle.in(before, later);
    }

    @Test
    void in_sameHoldsAndWaits_isACycleFromThen() {
        assertThat(lasting(List.of(FIRST, SECOND), List.of(SECOND, FIRST)))
                .containsExactly(
                        new WaitCycle(List.of(new Step("two", THEN, "first"), new Step("one", THEN, "second"))));
    }

    @Test
    void in_otherHoldOfTheSameClient_isNone() {
        LockStatus again = lock("second", view("m3", "two", waiter("one")));

        assertThat(lasting(List.of(FIRST, SECOND), List.of(FIRST, again))).isEmpty();
    }

    @Test
    void in_otherWaitOfTheSameClient_isNone() {
        LockStatus again = lock("second", view("m2", "two", new Waiter("one", Optional.of(THEN.plusSeconds(1)))));

        assertThat(lasting(List.of(FIRST, SECOND), List.of(FIRST, again))).isEmpty();
    }

    /** Two waits without a known beginning may be different ones. */
    @Test
    void in_waitWithoutAKnownBeginning_isNone() {
        LockStatus unknown = lock("second", view("m2", "two", new Waiter("one", Optional.empty())));

        assertThat(WaitCycle.in(List.of(FIRST, unknown), List.of(FIRST, unknown)))
                .isEmpty();
    }

    /** The withdrawal of a waiter may not have reached one node yet. */
    @Test
    void in_waitsOnAMinorityOfTheNodes_isNone() {
        NodeLockStatus without = view("m2", "two");
        NodeLockStatus with = view("m2", "two", waiter("one"));
        List<LockStatus> minority = List.of(FIRST, lock("second", with, without, without));
        List<LockStatus> majority = List.of(FIRST, lock("second", with, without, with));

        assertThat(WaitCycle.in(minority, minority)).isEmpty();
        assertThat(WaitCycle.in(majority, majority)).hasSize(1);
    }
}
