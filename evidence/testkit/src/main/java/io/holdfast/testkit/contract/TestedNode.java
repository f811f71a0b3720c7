package io.holdfast.testkit.contract;

import io.holdfast.node.LockNode;
import java.time.Duration;

/** A node under test, and what its tests may do to it. */
interface TestedNode extends AutoCloseable {

    /** Returns the node, ready to vote. */
    LockNode node();

    /** Returns the node's wall clock in microseconds, accurate to a few seconds. */
    long clockMicros();

    /** Lets at least this much time pass for the node. Only called with milliseconds. */
    void letTimePass(Duration duration);

    /** Makes the lock on the resource expire immediately, as if its ttl had passed. */
    void expireNow(String resource);

    /** Puts the node in quarantine, as a restart does, without deleting its records. */
    void startQuarantine();

    @Override
    default void close() {}
}
