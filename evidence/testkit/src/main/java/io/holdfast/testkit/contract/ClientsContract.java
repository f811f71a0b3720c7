package io.holdfast.testkit.contract;

import io.holdfast.Holdfast;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AfterEach;

/** A base for contracts of clients on nodes of any kind and number; a test class implements how a client connects. */
public abstract class ClientsContract {

    private final List<Holdfast> clients = new ArrayList<>();

    /** The number of nodes, and how many of them do not reply. */
    public enum Size {
        ONE(1, 0),
        THREE(3, 0),
        FIVE(5, 0),
        THREE_WITH_ONE_DEAD(3, 1);

        private final int nodes;
        private final int dead;

        Size(int nodes, int dead) {
            this.nodes = nodes;
            this.dead = dead;
        }

        public int nodes() {
            return nodes;
        }

        public int dead() {
            return dead;
        }
    }

    /**
     * Connects a new client to the nodes of this size; each call uses the same nodes. The contract closes the client.
     */
    protected abstract Holdfast connect(Size size);

    @AfterEach
    final void closeClients() {
        clients.forEach(Holdfast::close);
    }

    /** Connects another client. */
    final Holdfast client(Size size) {
        Holdfast client = connect(size);
        clients.add(client);
        return client;
    }
}
