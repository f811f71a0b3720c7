package io.holdfast.test;

import io.holdfast.Holdfast;
import java.util.List;

/** The nodes of one extension. Each client has the same nodes. */
interface LockNodes extends AutoCloseable {

    /** Returns a new client of the nodes. */
    Holdfast connect();

    /** Returns the client of the application under test. */
    default Holdfast application() {
        return connect();
    }

    /** Returns the addresses of the servers; empty in memory. */
    List<String> addresses();

    /** Returns {@code false} if the nodes have ended before the extension. */
    default boolean isOpen() {
        return true;
    }

    /** Closes the client of the application and the nodes, unless they outlive the extension. */
    default void end(Holdfast application) {
        try (this;
                application) {
            addresses();
        }
    }

    @Override
    void close();
}
