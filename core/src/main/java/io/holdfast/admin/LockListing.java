package io.holdfast.admin;

import io.holdfast.node.LockNode;
import io.holdfast.node.NodeAnswer;
import io.holdfast.node.NodeLockStatus;
import io.holdfast.time.Moment;
import io.holdfast.time.ThreadWait;
import io.holdfast.time.Time;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.function.BiFunction;

/**
 * One listing of all locks: reads the names of all nodes, then the states of groups of names. A node that has missed a
 * limit is not asked again. Used by one thread.
 */
final class LockListing {

    /** The longest time for all names; a server of a hundred million keys needs about as long. */
    private static final Duration NAMES_LIMIT = Duration.ofMinutes(2);

    /** The longest time for all states. */
    private static final Duration STATES_LIMIT = Duration.ofMinutes(1);

    /** The fewest names of a group, since many of them may be free. */
    private static final int SMALLEST_GROUP = 50;

    private final List<LockNode> nodes;
    private final Time time;
    private final GroupQuestions questions;

    LockListing(List<LockNode> nodes, Time time) {
        this.nodes = nodes;
        this.time = time;
        this.questions = new GroupQuestions(nodes, time);
    }

    /** Returns the names that each node knows, in the order of the nodes. */
    List<NodeAnswer<Set<String>>> names() {
        return names(NameReader.MOST_NAMES);
    }

    /** Returns the names that each node knows; a node with more than so many names has failed. */
    List<NodeAnswer<Set<String>>> names(int mostNames) {
        Moment begun = time.now();
        List<NameReader> readers =
                nodes.stream().map(node -> NameReader.of(node, mostNames)).toList();
        CompletableFuture<?> all =
                BoundedAnswer.allOf(readers.stream().map(NameReader::answer).toList());
        try {
            while (!ThreadWait.uninterruptibly(time::await, all, NameReader.CHECK)) {
                readers.forEach(NameReader::check);
                if (time.now().surelySince(begun).compareTo(NAMES_LIMIT) >= 0) {
                    end(readers);
                }
            }
        } catch (Throwable ended) {
            end(readers);
            throw ended;
        }
        for (int i = 0; i < readers.size(); i++) {
            if (readers.get(i).isSilent()) {
                questions.skip(i, NodeQuestions.NO_ANSWER);
            }
        }
        return BoundedAnswer.resultsOf(readers.stream().map(NameReader::answer).toList());
    }

    /** Ends the readings, after which no further page is asked for. */
    private static void end(List<NameReader> readers) {
        readers.forEach(reader -> reader.end("its list of locks takes more than " + NAMES_LIMIT.toSeconds()
                + " s; ask for single locks by their names"));
    }

    /**
     * Returns the first of these locks that are held on at least one node, or whose state is unknown.
     *
     * @param statusOf makes the state of a lock of its key and the answers of all nodes
     */
    List<LockStatus> held(
            List<String> names, int limit, BiFunction<String, List<NodeAnswer<NodeLockStatus>>, LockStatus> statusOf) {
        Moment begun = time.now();
        List<LockStatus> held = new ArrayList<>();
        for (int from = 0; from < names.size() && held.size() < limit; ) {
            if (time.now().surelySince(begun).compareTo(STATES_LIMIT) >= 0) {
                questions.skipAll("not asked, since the list took too long; ask for the lock by its name");
            }
            int size = Math.max(SMALLEST_GROUP, Math.min(GroupQuestions.LARGEST_GROUP, limit - held.size()));
            List<String> group = names.subList(from, Math.min(names.size(), from + size));
            List<List<NodeAnswer<NodeLockStatus>>> states =
                    questions.ask(group, (node, name) -> node.admin().inspect(name));
            for (int i = 0; i < group.size() && held.size() < limit; i++) {
                LockStatus status = statusOf.apply(group.get(i), states.get(i));
                if (status.isHeldSomewhere() || !status.isQuorum()) {
                    held.add(status);
                }
            }
            from += size;
        }
        return held;
    }
}
