package io.holdfast.quorum;

import io.holdfast.record.LockRecord;
import io.holdfast.record.RecordAnswer;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The newest of the records of all nodes. A majority has confirmed each text. So a text is missed only if it was
 * confirmed before the time since which so many nodes have forgotten nothing that each majority contains one of them.
 */
public final class NewestRecord {

    private NewestRecord() {}

    /** The answer of the node with this number. */
    private record Numbered(int index, RecordAnswer answer) {}

    /**
     * Returns the newest record.
     *
     * @param answers that of each node, in order; null: it has not answered
     * @param sets the sets of nodes whose majorities confirm a text
     */
    public static LockRecord of(List<? extends @Nullable RecordAnswer> answers, NodeSets sets) {
        List<Numbered> known = new ArrayList<>();
        for (int i = 0; i < answers.size(); i++) {
            RecordAnswer answer = answers.get(i);
            if (answer != null) {
                known.add(new Numbered(i, answer));
            }
        }
        known.sort(Comparator.comparing(node -> node.answer().remembersSince()));
        return RecordAnswer.newest(
                known.stream().map(Numbered::answer).toList(),
                rememberedSince(known, sets),
                known.size() == answers.size());
    }

    /** Returns the time since which each majority contains a node that has forgotten nothing; null: too few answer. */
    private static @Nullable Instant rememberedSince(List<Numbered> byMemory, NodeSets sets) {
        Instant since = null;
        long remembering = 0;
        for (Numbered node : byMemory) {
            remembering |= NodeSets.node(node.index());
            since = since == null && sets.intersectsEachMajority(remembering)
                    ? node.answer().remembersSince()
                    : since;
        }
        return sets.isMajority(remembering) ? since : null;
    }
}
