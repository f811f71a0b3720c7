package io.holdfast.scoreboard.contestant;

import java.util.OptionalLong;

/** A lock library that is connected to its servers until its process ends. One thread uses it. */
public interface Contestant {

    /** An action that releases a lock. */
    interface Release {
        void run() throws Exception;
    }

    /**
     * A lock that is held.
     *
     * @param token the fencing token, if the library has one
     */
    record Hold(OptionalLong token, Release release) {

        static Hold withoutToken(Release release) {
            return new Hold(OptionalLong.empty(), release);
        }
    }

    /**
     * Waits for the lock.
     *
     * @param onLost what the library shall call when the holder has lost the lock, if it can
     */
    Hold acquire(String resource, Runnable onLost) throws Exception;
}
