package io.holdfast.examples;

import static io.holdfast.servers.Eventually.eventually;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.holdfast.Holdfast;
import io.holdfast.Lease;
import io.holdfast.servers.PatientOptions;
import io.holdfast.servers.RedisServers;
import java.sql.Connection;
import java.sql.DriverManager;
import java.util.List;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/**
 * Runs each example with two holders on real servers; the first one writes after it has lost its lease, as a paused
 * process does.
 */
@Tag("server")
class FencingExamplesTest {

    private static RedisServers servers;
    private static Holdfast holdfast;

    @BeforeAll
    static void start() {
        servers = RedisServers.start(3);
        List<String> uris = servers.addresses();
        holdfast = Holdfast.connect(uris, PatientOptions.CLIENT);
    }

    @AfterAll
    static void stop() {
        holdfast.close();
        servers.close();
    }

    @Test
    void write_tableByAFormerHolder_isRejectedAndTheNewHolderContinues() throws Exception {
        try (Connection database = DriverManager.getConnection("jdbc:h2:mem:fencing")) {
            FencedTable accounts = new FencedTable(database);
            accounts.create();
            accounts.open("alice");
            Lease paused = expired("account:alice");
            Lease current = holdfast.lock("account:alice", PatientOptions.LOCK).acquire();
            accounts.setBalance("alice", 100, current.fencingToken());

            assertThatThrownBy(() -> accounts.setBalance("alice", 1, paused.fencingToken()))
                    .isInstanceOf(StaleTokenException.class)
                    .hasMessageContaining("alice");

            accounts.setBalance("alice", 200, current.fencingToken());
            assertThat(accounts.balance("alice")).isEqualTo(200);
        }
    }

    @Test
    void write_objectByAFormerHolder_isRejectedAndTheNewHolderContinues() throws Exception {
        try (ObjectStore store = new ObjectStore()) {
            FencedObject object = new FencedObject(store.object());
            Lease paused = expired("object");
            object.write("first", paused.fencingToken());
            Lease current = holdfast.lock("object", PatientOptions.LOCK).acquire();
            object.write("second", current.fencingToken());

            assertThatThrownBy(() -> object.write("late", paused.fencingToken()))
                    .isInstanceOf(StaleTokenException.class);

            object.write("third", current.fencingToken());
            assertThat(object.read()).isEqualTo("third").isEqualTo(store.content());
        }
    }

    private static Lease expired(String resource) throws InterruptedException {
        Lease lease = holdfast.lock(resource, PatientOptions.LOCK).acquire();
        holdfast.admin().breakLock(resource);
        eventually("the lease has ended", () -> !lease.state().isValid());
        return lease;
    }
}
