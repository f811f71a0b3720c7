package io.holdfast.record;

import java.time.Instant;
import java.util.Collection;
import org.jspecify.annotations.Nullable;

/**
 * The answer of one node to a question for a record. A node without the record says little if it was restarted: it may
 * have forgotten the record. So each answer states since when the node has forgotten nothing.
 *
 * @param stored the record on this node, possibly none
 * @param remembersSince if a text was confirmed by this node at or after this time, the node still has it, or a later
 *     one that takes account of it; {@link LockRecord#NEVER} for a node in quarantine
 */
public record RecordAnswer(LockRecord stored, Instant remembersSince) {

    /**
     * Returns the newest of the records of several nodes.
     *
     * <p>A node that does not answer can have a later text only if such a text can be missing. It cannot if the newest
     * text itself takes account of no more than these nodes remember.
     *
     * @param answers at most one of each node
     * @param since the time since which so many nodes have forgotten nothing that none of the texts confirmed after it
     *     is missing; null: too few nodes have answered
     * @param areAll whether all nodes have answered
     */
    public static LockRecord newest(Collection<RecordAnswer> answers, @Nullable Instant since, boolean areAll) {
        LockRecord newest = answers.stream()
                .map(RecordAnswer::stored)
                .max(LockRecord.ORDER)
                .orElseGet(() -> LockRecord.none(LockRecord.ALWAYS));
        if (since == null) {
            return newest.read(LockRecord.NEVER, false);
        }
        boolean isNoneLater = !since.isAfter(newest.completeSince());
        // The text itself may take account of less than these nodes remember.
        Instant complete = isNoneLater ? newest.completeSince() : since;
        return newest.read(complete, isNoneLater || areAll);
    }
}
