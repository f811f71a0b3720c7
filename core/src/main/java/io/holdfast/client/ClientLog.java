package io.holdfast.client;

import io.holdfast.lease.Loss;
import io.holdfast.lease.LossReason;
import io.holdfast.node.LockNode;
import io.holdfast.node.NodeStatus;
import io.holdfast.node.ResourceName;
import io.holdfast.quorum.NodeSets;
import io.holdfast.quorum.Voters;
import io.holdfast.time.Durations;
import io.holdfast.time.Time;
import java.lang.System.Logger.Level;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.concurrent.Executor;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * The log of one client. Nodes whose quarantines begin together are logged in one sentence.
 *
 * <p>Thread-safe; no method blocks.
 */
public final class ClientLog implements LongWaits.Log {

    /** The name of the public class, which users configure. */
    private static final String LOGGER = "io.holdfast.Holdfast";

    private static final String WAITS = LOGGER + ".waits";

    private static final Duration TOGETHER = Duration.ofMillis(100);

    /** A node that has been silent for this time counts as one that does not vote. A busy machine connects slowly. */
    private static final Duration LONGEST_SILENCE = Duration.ofSeconds(15);

    private final Time time;
    /** Never throws, so that a shortage of threads harms no lock. */
    private final Executor background;

    private final List<NodeStatus> begun = new ArrayList<>();
    private volatile @Nullable Voters voters;
    private volatile boolean closed;

    /** Creates a log whose messages are written by background threads. */
    public ClientLog(Time time) {
        this.time = time;
        this.background = new CallbackRunner(null, time);
    }

    /** Logs what a user should know about the configuration, once. */
    public static void started(int nodes, boolean unsafeRestarts) {
        if (nodes % 2 == 0) {
            advise("An even number of nodes: " + nodes + " survive no more failures than " + (nodes - 1) + " do; use "
                    + (nodes - 1) + " or " + (nodes + 1));
        }
        if (unsafeRestarts && nodes > 1) {
            advise("Restarted nodes vote at once: after a restart two holders are possible, so use this for development"
                    + " only");
        }
    }

    /** Logs advice about the configuration. Its logger has a name of its own, so that it can be silenced. */
    private static void advise(String message) {
        System.getLogger(LOGGER + ".configuration").log(Level.WARNING, message);
    }

    /** Logs a callback that threw, which has no other effect. */
    static void failed(Throwable failure) {
        System.getLogger(LOGGER).log(Level.ERROR, "A callback failed", failure);
    }

    void lost(Loss loss) {
        Level level = loss.reason() == LossReason.CLOSED ? Level.DEBUG : Level.WARNING;
        background.execute(() -> write(level, ResourceName.printable(loss.toString())));
    }

    @Override
    public boolean logsWaits() {
        return System.getLogger(WAITS).isLoggable(Level.INFO);
    }

    @Override
    public void inBackground(Runnable task) {
        background.execute(task);
    }

    /**
     * Logs requests that wait for long. That is no failure: a standby waits for as long as its leader lives. Its logger
     * has a name of its own, so that it can be silenced.
     */
    @Override
    public void waits(String message) {
        background.execute(() -> System.getLogger(WAITS).log(Level.INFO, ResourceName.printable(message)));
    }

    /** Logs that a listener is so slow that it loses events. */
    void slowListener(int limit) {
        String message = "A listener is " + limit + " events behind, and loses events until it has caught up";
        background.execute(() -> write(Level.WARNING, message));
    }

    /** Logs the beginning or the end of a quarantine. */
    public void quarantined(NodeStatus node) {
        if (node.votes()) {
            background.execute(() -> write(Level.INFO, node.name() + " votes again"));
            return;
        }
        synchronized (begun) {
            begun.add(node);
            if (begun.size() == 1) {
                time.schedule(TOGETHER, this::logBegun);
            }
        }
    }

    /** Sets the nodes, whose votes decide how serious a quarantine is. */
    public void watch(Voters all) {
        voters = all;
    }

    private void logBegun() {
        if (closed) {
            return;
        }
        Voters present = voters;
        List<NodeStatus> known = present == null
                ? List.of()
                : present.nodes().stream().map(LockNode::status).toList();
        // Without nodes, the client is still being created: on a busy machine, the first node reports its quarantine
        // earlier.
        if (present == null || !isDecided(known, present.sets())) {
            time.schedule(TOGETHER, this::logBegun);
            return;
        }
        List<NodeStatus> all;
        synchronized (begun) {
            all = List.copyOf(begun);
            begun.clear();
        }
        long voting = NodeSets.where(known, NodeStatus::votes);
        boolean isQuorum = present.sets().isMajority(voting);
        background.execute(() -> write(
                isQuorum ? Level.INFO : Level.WARNING,
                sentence(all, isQuorum, present.sets().isAnySetWithout(voting))));
    }

    /** Returns whether nodes that have not answered yet cannot change whether a majority votes. */
    static boolean isDecided(List<NodeStatus> known, NodeSets sets) {
        long silent = NodeSets.where(
                known,
                node -> node.state() == NodeStatus.State.UNREACHABLE
                        && node.duration().compareTo(LONGEST_SILENCE) < 0);
        long voting = NodeSets.where(known, NodeStatus::votes);
        return sets.isMajority(voting) || !sets.isMajority(voting | silent);
    }

    /** Logs no more quarantines, since the nodes are closed as well. */
    public void close() {
        closed = true;
    }

    /**
     * Returns the log message for quarantines that began together. It suggests to admit nodes only if none votes: the
     * others would show that they were in use.
     *
     * @param isQuorum whether a majority votes
     * @param noneVotes whether no node of a set votes
     */
    public static String sentence(List<NodeStatus> all, boolean isQuorum, boolean noneVotes) {
        String names = all.stream().map(NodeStatus::name).sorted().collect(Collectors.joining(", "));
        Duration longest = all.stream()
                .map(NodeStatus::duration)
                .max(Comparator.naturalOrder())
                .orElse(Duration.ZERO);
        return names + (all.size() == 1 ? " was" : " were")
                + " restarted, or never used before, and may have forgotten which locks are held: no vote for another "
                + Durations.toWholeSeconds(longest) + " s in which a client is connected. "
                + (isQuorum ? "The other nodes are a majority" : "Requests wait, since no majority votes")
                + (noneVotes ? "; if all nodes are new and never held a lock, `holdfast admit` ends the wait" : "");
    }

    /**
     * The logger is looked up here, when it is needed: to start the platform's logging takes longer than to take a
     * lock.
     */
    private static void write(Level level, String message) {
        System.getLogger(LOGGER).log(level, message);
    }
}
