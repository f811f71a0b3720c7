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
     * <p>A majority has confirmed each text. It has a node in common with every majority of answers, so the text is
     * missed only if that node has forgotten it. Nothing is missed either if all nodes have answered: what none of them
     * has is lost.
     *
     * @param answers at most one of each node
     * @param nodes the number of configured nodes, whether they answer or not
     * @param majority the least number of these nodes that is a majority
     */
    public static LockRecord newest(Collection<RecordAnswer> answers, int nodes, int majority) {
        if (answers.size() < majority) {
            return record(answers).since(LockRecord.NEVER);
        }
        LockRecord newest = record(answers);
        List<Instant> memories =
                answers.stream().map(RecordAnswer::remembersSince).sorted().toList();
        Instant since = answers.size() == nodes ? LockRecord.ALWAYS : memories.get(majority - 1);
        // The text itself may take account of less than these nodes remember.
        return newest.completeSince().isAfter(since) ? newest : newest.since(since);
    }

    private static LockRecord record(Collection<RecordAnswer> answers) {
        return answers.isEmpty()
                ? LockRecord.none(LockRecord.ALWAYS)
                : Collections.max(answers.stream().map(RecordAnswer::stored).toList(), LockRecord.ORDER);
    }
}
