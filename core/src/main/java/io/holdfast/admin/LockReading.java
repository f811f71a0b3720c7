package io.holdfast.admin;

import io.holdfast.node.NodeAnswer;
import io.holdfast.node.NodeLockStatus;
import io.holdfast.node.NodeStanding;
import io.holdfast.node.ResourceName;
import io.holdfast.time.ThreadWait;
import io.holdfast.time.Time;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.stream.IntStream;

/** Readings of locks whose names are known. */
record LockReading(NodeStandings standings) {

    /** The time after which clients that still wait for each other are reported. */
    private static final Duration CONFIRMATION = Duration.ofSeconds(1);

    /** Returns the states of the locks with these keys, asked for in groups, without the descriptions of clients. */
    List<LockStatus> states(List<String> keys) {
        List<BoundedAnswer<NodeStanding>> asked = standings.asked();
        List<List<NodeAnswer<NodeLockStatus>>> states =
                new GroupQuestions(standings.questions().nodes(), time()).states(keys);
        List<NodeStanding> voting = BoundedAnswer.joined(time(), asked);
        return IntStream.range(0, keys.size())
                .mapToObj(i -> new LockStatus(
                        ResourceName.name(keys.get(i)), standings.votes(voting, states.get(i)), Map.of()))
                .toList();
    }

    /** Returns the cycles in a reading of locks that a second one, a second later, confirms. */
    List<WaitCycle> waitCycles(List<LockStatus> locks) {
        WaitGraph graph = WaitGraph.of(locks);
        List<String> suspects = graph.suspects().stream()
                .limit(GroupQuestions.LARGEST_GROUP)
                .map(ResourceName::listed)
                .toList();
        if (suspects.isEmpty()) {
            return List.of();
        }
        ThreadWait.uninterruptibly(time()::await, new CompletableFuture<>(), CONFIRMATION);
        return graph.common(WaitGraph.of(states(suspects))).cycles();
    }

    private Time time() {
        return standings.questions().time();
    }
}
