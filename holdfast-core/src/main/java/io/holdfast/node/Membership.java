package io.holdfast.node;

import java.time.Duration;

/** What a node answers to a {@link Watch}. */
public sealed interface Membership {

    /**
     * The node votes.
     *
     * @param highest no smaller than any fence that it has accepted, for whatever resource
     */
    record Admitted(FencingToken highest) implements Membership {}

    /**
     * The node does not vote.
     *
     * @param watched for how long it has been watched so far
     * @param byUs whether whoever asked is its watcher now
     */
    record Quarantined(Duration watched, boolean byUs) implements Membership {}

    /**
     * No usable answer.
     *
     * @param cause one line for the user
     */
    record Unknown(String cause) implements Membership {}
}
