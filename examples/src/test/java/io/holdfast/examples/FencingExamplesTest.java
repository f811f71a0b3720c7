package io.holdfast.examples;

import static io.holdfast.servers.Eventually.eventually;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.holdfast.Holdfast;
import io.holdfast.Lease;
import io.holdfast.LockOptions;
import io.holdfast.servers.RedisServers;
import java.sql.Connection;
import java.sql.DriverManager;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

/** Each with two holders on real servers; the first goes on after its lease is over, as a process that was paused does. */
class FencingExamplesTest {

    private static final LockOptions BRIEF =
            LockOptions.builder().lease(Duration.ofMillis(200)).renewal(false).build();

    private static RedisServers servers;
    private static Holdfast holdfast;

    @BeforeAll
    static void start() {
        servers = RedisServers.start(3);
        List<String> uris = servers.addresses();
        holdfast = Holdfast.connect(uris);
    }

    @AfterAll
    static void stop() {
        holdfast.close();
        servers.close();
    }

    @Test
    void table_holderFromThePast_isRefusedAndTheNewOneGoesOn() throws Exception {
        try (Connection database = DriverManager.getConnection("jdbc:h2:mem:fencing")) {
            FencedTable accounts = new FencedTable(database);
            accounts.create();
            accounts.open("alice");
            Lease paused = expired("account:alice");
            Lease present = holdfast.lock("account:alice", BRIEF).acquire();
            accounts.setBalance("alice", 100, present.fencingToken());

            assertThatThrownBy(() -> accounts.setBalance("alice", 1, paused.fencingToken()))
                    .isInstanceOf(StaleTokenException.class)
                    .hasMessageContaining("alice");

            accounts.setBalance("alice", 200, present.fencingToken());
            assertThat(accounts.balance("alice")).isEqualTo(200);
        }
    }

    @Test
    void object_holderFromThePast_isRefusedAndTheNewOneGoesOn() throws Exception {
        try (ObjectStore store = new ObjectStore()) {
            FencedObject object = new FencedObject(store.object());
            Lease paused = expired("object");
            object.write("first", paused.fencingToken());
            Lease present = holdfast.lock("object", BRIEF).acquire();
            object.write("second", present.fencingToken());

            assertThatThrownBy(() -> object.write("late", paused.fencingToken()))
                    .isInstanceOf(StaleTokenException.class);

            object.write("third", present.fencingToken());
            assertThat(object.read()).isEqualTo("third").isEqualTo(store.content());
        }
    }

    private static Lease expired(String resource) throws InterruptedException {
        Lease lease = holdfast.lock(resource, BRIEF).acquire();
        eventually("the lease is over", () -> !lease.state().isValid());
        return lease;
    }
}
