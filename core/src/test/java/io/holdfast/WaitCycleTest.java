package io.holdfast;

import static org.assertj.core.api.Assertions.assertThat;

import io.holdfast.admin.LockStatus;
import io.holdfast.admin.WaitCycle;
import io.holdfast.admin.WaitCycle.Step;
import io.holdfast.node.memory.InMemoryNode;
import io.holdfast.time.VirtualTime;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Clients that wait for each other are named. */
class WaitCycleTest {

    private static final LockOptions OPTIONS =
            LockOptions.builder().waitLimit(Duration.ofHours(1)).build();

    private final VirtualTime time = new VirtualTime();
    private final List<InMemoryNode> nodes = List.of(new InMemoryNode("a", time));
    private final Holdfast observer = client();
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
        List<LockStatus> before = observer.admin().list();
        time.advance(Duration.ofSeconds(1));
        return WaitCycle.in(before, observer.admin().list());
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

        List<WaitCycle> cycles = cycles();

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
}
