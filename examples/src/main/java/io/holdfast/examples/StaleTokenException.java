package io.holdfast.examples;

import io.holdfast.lease.FencingToken;

/** Somebody with a greater fencing token has written before: the lock was lost, and whoever gets this has to stop. */
public final class StaleTokenException extends RuntimeException {

    private static final long serialVersionUID = 1L;

    StaleTokenException(String what, FencingToken token) {
        super("'" + what + "' was written with a greater token than " + token
                + ": the lock was lost meanwhile. Take it again and begin anew");
    }
}
