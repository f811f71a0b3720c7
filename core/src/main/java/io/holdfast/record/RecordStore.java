package io.holdfast.record;

import io.holdfast.lease.Owner;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;

/**
 * The records of one node. Each stage completes in the end; the caller sets its own deadline. A stage fails with an
 * exception whose message gives the reason in one line: an {@link IllegalStateException} if the node stores no records.
 *
 * <p>Implementations are thread-safe and do not block the caller.
 */
public interface RecordStore {

    /** Stores no records. */
    RecordStore NONE = new RecordStore() {};

    /** Reads the record of a lock. A node in quarantine answers as well. */
    default CompletionStage<RecordAnswer> read(String resource) {
        return unable();
    }

    /**
     * Stores the record of a lock, unless the node has a newer record: with a greater fence, or with the same fence
     * and a greater revision. A node that has forgotten fences that may be greater stores the record only while this
     * owner holds the lock there.
     *
     * @param owner the owner of the lease whose token is the fence of the record
     * @param keep the time to live of the record, at least 1 ms; rounded down to whole milliseconds
     * @return a stage of {@code true} if the node has stored the record
     */
    default CompletionStage<Boolean> write(String resource, Owner owner, LockRecord record, Duration keep) {
        return unable();
    }

    private static <T> CompletionStage<T> unable() {
        return CompletableFuture.failedFuture(new IllegalStateException("a node of this kind stores no records"));
    }
}
