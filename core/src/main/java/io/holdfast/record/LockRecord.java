package io.holdfast.record;

import io.holdfast.lease.FencingToken;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.util.Comparator;
import java.util.Objects;

/**
 * A short text that a holder of a lock has left on the nodes for the next holder. Immutable.
 *
 * @param text at most {@link #MAX_LENGTH} characters; empty if there is no record
 * @param fence the fencing token of the lease under which the text was written; {@link FencingToken#NONE} if there is
 *     no record
 * @param completeSince a bound for what may be missing: the record takes account of every text that a majority of the
 *     nodes has confirmed since then. {@link #ALWAYS} if nothing can be missing, {@link #NEVER} if too few nodes have
 *     answered, or too few of these remember anything
 * @param revision the number of the text among those of the same lease, from 1; 0 if there is no record
 * @param isLatest {@code true} if no other node can have a later text, so that more answers would change nothing; what
 *     may be missing is then lost. {@code false} in a record that was not read from the nodes
 */
public record LockRecord(String text, FencingToken fence, Instant completeSince, int revision, boolean isLatest) {

    /** The greatest length of a text, in characters. */
    public static final int MAX_LENGTH = 8_192;

    /** The order in which records were written. */
    public static final Comparator<LockRecord> ORDER = (first, second) -> {
        int order = first.fence.compareTo(second.fence);
        return order != 0 ? order : Integer.compare(first.revision, second.revision);
    };

    /** The beginning of a record that takes account of everything. */
    public static final Instant ALWAYS = Instant.EPOCH;

    /** The beginning of a record of which nothing is certain. */
    public static final Instant NEVER = Instant.MAX;

    /**
     * Creates a record.
     *
     * @throws IllegalArgumentException if the text is too long or not valid Unicode
     */
    public LockRecord {
        Objects.requireNonNull(text, "text is null; give a text");
        if (text.length() > MAX_LENGTH) {
            throw new IllegalArgumentException(
                    "A record has at most " + MAX_LENGTH + " characters, not " + text.length() + "; shorten the text");
        }
        // Redis would store a question mark for half of a character.
        if (!StandardCharsets.UTF_8.newEncoder().canEncode(text)) {
            throw new IllegalArgumentException(
                    "A record is valid Unicode, but this one has half of a character; correct the code that has cut "
                            + "it");
        }
    }

    /**
     * Creates the first record of a lease.
     *
     * @throws IllegalArgumentException if the text is too long or not valid Unicode
     */
    public LockRecord(String text, FencingToken fence, Instant completeSince) {
        this(text, fence, completeSince, 1);
    }

    /**
     * Creates a record that was not read from the nodes.
     *
     * @throws IllegalArgumentException if the text is too long or not valid Unicode
     */
    public LockRecord(String text, FencingToken fence, Instant completeSince, int revision) {
        this(text, fence, completeSince, revision, false);
    }

    /** Returns the absence of a record. */
    public static LockRecord none(Instant completeSince) {
        return new LockRecord("", FencingToken.NONE, completeSince, 0);
    }

    /** Returns {@code true} if this record was written later: under a later lease, or under the same one. */
    public boolean isNewerThan(LockRecord other) {
        return ORDER.compare(this, other) > 0;
    }

    /** Returns {@code true} if a text was written. */
    public boolean isPresent() {
        return !fence.equals(FencingToken.NONE);
    }

    /** Returns {@code true} if the record takes account of every text that a majority has confirmed since that time. */
    public boolean isCompleteSince(Instant time) {
        return !completeSince.isAfter(time);
    }

    /** Returns this record as it was read, with what the answers show about others. */
    LockRecord read(Instant completeSince, boolean isLatest) {
        return new LockRecord(text, fence, completeSince, revision, isLatest);
    }
}
