package io.holdfast.spring.use;

import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;

/**
 * The calls of one method that have failed and whose lock the nodes keep for the rest of {@code holdAtLeast}. A retry
 * meets that rest. If it were skipped, its caller would take the failure for a success. Thread-safe.
 */
public final class FailedCalls {

    private final Map<String, FailedCall> byResource = new ConcurrentHashMap<>();

    /** A call that failed; without an exception if the transaction of its caller was rolled back. */
    private record FailedCall(LeaseUse use, @Nullable Throwable failure) {}

    /**
     * Records a call that has failed, unless its lock is free after it or the call is known. Called before the release.
     */
    public void add(LeaseUse use, @Nullable Throwable failure) {
        byResource.values().removeIf(call -> !call.use().mayBeKept());
        if (use.lease().isValid() && !use.rest().isZero()) {
            byResource.putIfAbsent(use.lease().resource(), new FailedCall(use, failure));
        }
    }

    /** Forgets the last call with this lock, because another one begins. */
    public void forget(String resource) {
        byResource.remove(resource);
    }

    /**
     * Returns the exception of a call whose lock is still kept after a failed one; null if there is no such failure.
     *
     * @param method its name, for the message
     */
    public @Nullable IllegalStateException repeated(String method, String resource) {
        FailedCall last = byResource.get(resource);
        return last == null || !last.use().mayBeKept()
                ? null
                : new IllegalStateException(
                        method + " did not run again: its last call failed, and holdAtLeast keeps '" + resource
                                + "' for up to " + last.use().rest().toMillis()
                                + " ms more; retry within the method, or after that time",
                        last.failure());
    }
}
