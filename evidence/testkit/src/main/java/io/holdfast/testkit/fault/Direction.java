package io.holdfast.testkit.fault;

/** The direction in which bytes flow through a {@link FaultProxy}. */
public enum Direction {
    /** From the client to the server. */
    REQUESTS,
    /** From the server to the client. */
    REPLIES
}
