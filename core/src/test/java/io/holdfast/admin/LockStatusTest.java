package io.holdfast.admin;

import static org.assertj.core.api.Assertions.assertThat;

import io.holdfast.lease.FencingToken;
import io.holdfast.node.NodeAnswer;
import io.holdfast.node.NodeLockStatus;
import io.holdfast.node.NodeLockStatus.Note;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

class LockStatusTest {

    private static final Note NOTE = new Note(FencingToken.NONE.plus(7), "host 7");

    private static NodeAnswer<NodeLockStatus> held(String node, int seconds, Note note) {
        return NodeAnswer.of(
                node,
                new NodeLockStatus(
                        "x",
                        0,
                        Duration.ofSeconds(seconds),
                        FencingToken.NONE.plus(7),
                        List.of(),
                        List.of(),
                        note,
                        false));
    }

    /** The note is sent once, and a node stores it only if it has the lock already. */
    @Test
    void held_nodeThatVotedLastHasNoNote_hasTheNoteOfTheOthers() {
        LockStatus status =
                new LockStatus("a", List.of(held("1", 2, NOTE), held("2", 2, NOTE), held("3", 3, Note.NONE)), Map.of());

        NodeLockStatus view = status.held().orElseThrow();

        assertThat(view.note()).isEqualTo(NOTE);
        assertThat(view.timeLeft()).isEqualTo(Duration.ofSeconds(3));
    }
}
