package io.holdfast.spring.boot.actuate;

import static org.assertj.core.api.Assertions.assertThat;

import io.holdfast.Holdfast;
import io.holdfast.Lease;
import io.holdfast.node.memory.InMemoryNode;
import io.holdfast.servers.Eventually;
import io.holdfast.time.SystemTime;
import java.util.List;
import java.util.Random;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Test;

/** Tests what the endpoint knows of this process, on a node in memory. */
class LeaseTableTest {

    @Test
    void events_ofLocks_areTheLeasesAndTheWaiters() throws Exception {
        try (SystemTime time = new SystemTime();
                Holdfast holdfast = Holdfast.forTesting(List.of(new InMemoryNode("a", time)), time, new Random(1));
                LeaseTable table = new LeaseTable(holdfast)) {
            Lease first = holdfast.lock("x").acquire();
            CompletableFuture<Lease> one = holdfast.lock("x").acquireAsync();
            CompletableFuture<Lease> other = holdfast.lock("x").acquireAsync();
            Eventually.eventually(
                    "two wait", () -> Integer.valueOf(2).equals(table.waiting().get("x")));
            assertThat(table.held()).extracting(LeaseTable.HeldLock::resource).containsExactly("x");

            other.cancel(true);
            first.release();
            one.join();
            Eventually.eventually("no request waits", () -> table.waiting().isEmpty());
            Eventually.eventually(
                    "the second lease is held",
                    () -> table.held().size() == 1
                            && !table.held()
                                    .get(0)
                                    .fencingToken()
                                    .equals(first.fencingToken().toString()));

            one.join().release();
            Eventually.eventually("no lease is held", () -> table.held().isEmpty());
        }
    }
}
