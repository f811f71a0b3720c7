package io.holdfast.stress;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.holdfast.Lease;
import io.holdfast.stress.client.Client;
import io.holdfast.stress.client.ClientInternals;
import io.holdfast.stress.client.Nodes;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** Checks that the names of the library's internals are up to date, and that an outdated one is an error. */
class ClientInternalsTest {

    private final Nodes nodes = Nodes.start(Nodes.Type.MEMORY);
    private final Client client = new Client(nodes.connect(1));

    @AfterEach
    void close() {
        client.close();
        nodes.close();
    }

    @Test
    void of_newClient_reachesAllFieldsAndFindsNoLeases() {
        assertThat(ClientInternals.of(client)).doesNotContainKeys("HoldRegistry.live", "LocalWaiters.locks");
    }

    @Test
    void of_leaseAndWaiter_countsThem() throws InterruptedException {
        try (Lease lease = client.holdfast().lock("a").acquire()) {
            CompletableFuture<Lease> waiter = client.holdfast().lock("a").acquireAsync();

            assertThat(lease.state().isValid()).isTrue();
            assertThat(ClientInternals.of(client))
                    .containsEntry("HoldRegistry.live", 1)
                    .containsEntry("LocalWaiters.locks", 1)
                    .containsEntry("PendingAcquisitions.all", 1);
            waiter.cancel(true);
        }
    }

    @Test
    void of_fieldWasRenamed_fails() {
        assertThatThrownBy(() -> ClientInternals.of(client, Set.of("HoldRegistry.live", "HoldRegistry.former")))
                .isInstanceOf(IllegalStateException.class)
                .hasMessageContaining("[HoldRegistry.former]")
                .hasMessageContaining("ClientInternals");
    }
}
