package io.holdfast.simulation.world;

import io.holdfast.node.WakeUp;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/** The messages that a client receives from one node. */
final class Inbox {

    private String name = "";
    private @Nullable Consumer<WakeUp> consumer;
    /** Carries a message over the present connection; null: there is none. */
    private @Nullable Consumer<WakeUp> carrier;
    /** The inbox of the same client for another database of the server; null: there is none. */
    private @Nullable Inbox twin;

    String name() {
        return name;
    }

    @Nullable
    Consumer<WakeUp> consumer() {
        return consumer;
    }

    void open(String newName, Consumer<WakeUp> newConsumer) {
        name = newName;
        consumer = newConsumer;
    }

    void connect(Consumer<WakeUp> overConnection) {
        carrier = overConnection;
    }

    void disconnect() {
        carrier = null;
    }

    /** Makes this an inbox for a server that is also a node of the other set, with another database. */
    void share(Inbox other) {
        twin = other;
        other.twin = this;
    }

    /** Receives a message. If the other database has an inbox of this name, that receives it as well. */
    void receive(WakeUp wake) {
        deliver(wake);
        Inbox other = twin;
        if (other != null && other.name.equals(name)) {
            other.deliver(wake);
        }
    }

    private void deliver(WakeUp wake) {
        Consumer<WakeUp> present = carrier;
        if (present != null) {
            present.accept(wake);
        }
    }
}
