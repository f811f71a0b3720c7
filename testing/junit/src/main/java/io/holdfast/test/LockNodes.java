package io.holdfast.test;

import io.holdfast.Holdfast;
import java.util.List;

/** The nodes of one extension. Each client has the same nodes. */
interface LockNodes extends AutoCloseable {

    /** Returns a new client of the nodes. */
    Holdfast connect();

    /** Returns the addresses of the servers; empty in memory. */
    List<String> addresses();

    @Override
    void close();
}
