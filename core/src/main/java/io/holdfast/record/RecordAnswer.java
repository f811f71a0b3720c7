package io.holdfast.record;

import java.time.Instant;
import java.util.Collection;
import java.util.Collections;
import java.util.List;

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
     * <p>A majority has confirmed each text. It has a node in common with every set of {@code nodes - majority + 1}
     * nodes. So a text is missed only if it was confirmed before the time since which that many of the nodes that
     * answer have forgotten nothing.
     *
     * <p>A node that does not answer can have a later text only if such a text can be missing. It cannot if the newest
     * text itself takes account of no more than these nodes remember.
     *
     * @param answers at most one of each node
     * @param nodes the number of configured nodes, whether they answer or not
     * @param majority the least number of these nodes that is a majority
     */
    public static LockRecord newest(Collection<RecordAnswer> answers, int nodes, int majority) {
        LockRecord newest = record(answers);
        if (answers.size() < majority) {
            return newest.read(LockRecord.NEVER, false);
        }
        List<Instant> memories =
                answers.stream().map(RecordAnswer::remembersSince).sorted().toList();
        Instant since = memories.get(nodes - majority);
        boolean isNoneLater = !since.isAfter(newest.completeSince());
        // The text itself may take account of less than these nodes remember.
        Instant complete = isNoneLater ? newest.completeSince() : since;
        return newest.read(complete, isNoneLater || answers.size() == nodes);
    }

    private static LockRecord record(Collection<RecordAnswer> answers) {
        return answers.isEmpty()
                ? LockRecord.none(LockRecord.ALWAYS)
                : Collections.max(answers.stream().map(RecordAnswer::stored).toList(), LockRecord.ORDER);
    }
}
