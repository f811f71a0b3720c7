package io.holdfast.testkit;

import io.holdfast.DistributedLock;
import io.holdfast.QuorumUnreachableException;

/** Reads why a lock cannot be acquired. */
public final class Refusals {

    private Refusals() {}

    /** Tries to acquire the lock, and returns why no quorum can be reached, or what was granted. */
    public static String refusal(DistributedLock lock) {
        try {
            return "no exception but " + lock.tryAcquire();
        } catch (QuorumUnreachableException e) {
            return String.valueOf(e.getMessage());
        } catch (InterruptedException e) {
            throw new AssertionError(e);
        }
    }
}
