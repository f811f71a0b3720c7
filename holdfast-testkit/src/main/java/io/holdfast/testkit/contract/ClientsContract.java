package io.holdfast.testkit.contract;

import io.holdfast.Holdfast;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AfterEach;

/** Clients on nodes of whatever kind and number: a test class says how a client connects to them. */
public abstract class ClientsContract {

    private final List<Holdfast> clients = new ArrayList<>();

    /** How many nodes there are, and how many of them do not answer. */
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

    /** A client of its own on the nodes of this size; the same nodes at each call. The contract closes it. */
    protected abstract Holdfast connect(Size size);

    @AfterEach
    final void closeClients() {
        clients.forEach(Holdfast::close);
    }

    /** One client more. */
    final Holdfast client(Size size) {
        Holdfast client = connect(size);
        clients.add(client);
        return client;
    }
}
