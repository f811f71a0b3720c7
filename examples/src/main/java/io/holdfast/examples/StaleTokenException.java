package io.holdfast.examples;

import io.holdfast.lease.FencingToken;

/** Thrown when a write with a greater fencing token came first: the lock was lost, and the former holder must stop. */
public final class StaleTokenException extends RuntimeException {

    private static final long serialVersionUID = 1L;

    StaleTokenException(String name, FencingToken token) {
        super("'" + name + "' was written with a greater token than " + token
                + ": the lock was lost meanwhile. Acquire it again and start over");
    }
}
