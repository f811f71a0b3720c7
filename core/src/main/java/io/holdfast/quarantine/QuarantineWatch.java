package io.holdfast.quarantine;

import static io.holdfast.time.Durations.shorter;

import io.holdfast.node.Claim;
import io.holdfast.node.ForwardingNode;
import io.holdfast.node.LockNode;
import io.holdfast.node.NodeStanding;
import io.holdfast.node.NodeStanding.Unknown.Reason;
import io.holdfast.node.NodeStatus;
import io.holdfast.node.QuarantineProbe;
import io.holdfast.node.QuorumConfig;
import io.holdfast.node.Reply;
import io.holdfast.time.Durations;
import io.holdfast.time.Moment;
import io.holdfast.time.Time;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * A node with this client's part in ending its quarantine. The client observes the node for as long as the longest
 * lease, by itself or in turns with other clients. Then it learns from the other nodes which fences the node may have
 * forgotten, and admits it. It also opens a node that has missed the last step of a change of the nodes. One probe at a
 * time is under way.
 *
 * <p>The node itself stores the observed time and rejects claims until it is admitted, so no client can be mistaken
 * about it. Thread-safe.
 */
public final class QuarantineWatch extends ForwardingNode {

    private static final Duration LONGEST_INTERVAL = Duration.ofMillis(100);
    private static final int PROBES_PER_QUARANTINE = 100;
    /** An observer that has added nothing for so many intervals is considered gone. */
    private static final int INTERVALS_UNTIL_GONE = 3;
    /** The time in which a client that requests no lock notices a restart. */
    private static final Duration PATROL_INTERVAL = Duration.ofSeconds(5);
    /** The patrols without a probe after which the present chain of probes is considered broken. */
    private static final int PATROLS_UNTIL_BROKEN = 3;
    /** The time until a node that did not answer is asked again; until then its status is wrong if it has returned. */
    private static final Duration RETRY_INTERVAL = Duration.ofMillis(500);

    private final QuorumConfig config;
    private final String observer;
    private final Duration interval;
    private final SetMemory memory;
    private final Time time;
    private final Consumer<NodeStatus> listener;
    private final AtomicBoolean probing = new AtomicBoolean();
    private volatile @Nullable Moment repliedAt;
    private volatile Duration othersObserved = Duration.ZERO;
    private volatile int othersIdle;
    private volatile int othersLate;
    /** The name of the quarantine that the node has reported last. */
    private volatile String quarantine = "";

    private final AtomicInteger probes = new AtomicInteger();
    private int probesBefore;
    private int patrolsWithoutProbe;
    private volatile boolean announced;
    private volatile boolean closed;
    private volatile Answer answer;

    /** The last answer of the node and its time; for a node that does not answer, the time since then. */
    private record Answer(NodeStanding standing, Moment at) {}

    private QuarantineWatch(
            LockNode node,
            QuorumConfig config,
            String observer,
            SetMemory memory,
            Time time,
            Consumer<NodeStatus> listener) {
        super(node);
        this.config = config;
        this.interval = shorter(LONGEST_INTERVAL, Durations.part(config.quarantine(), PROBES_PER_QUARANTINE));
        this.observer = observer;
        this.memory = memory;
        this.time = time;
        this.listener = listener;
        this.answer = new Answer(new NodeStanding.Unknown("it has not answered yet"), time.now());
    }

    /**
     * Returns the nodes with this client's part in ending their quarantines, and starts to probe them.
     *
     * @param strict whether a node stays out while too few other nodes know which fences it has forgotten
     * @param observer a name of this client that no other client has
     * @param listener is called when a quarantine begins and when it ends, on a thread that must not be blocked
     */
    public static List<LockNode> ofAll(
            List<LockNode> nodes,
            QuorumConfig config,
            boolean strict,
            String observer,
            Time time,
            Consumer<NodeStatus> listener) {
        SetMemory memory = new SetMemory(nodes, config, observer, strict, time);
        List<QuarantineWatch> watches = nodes.stream()
                .map(node -> new QuarantineWatch(node, config, observer, memory, time, listener))
                .toList();
        for (QuarantineWatch watch : watches) {
            watch.begin();
            time.repeat(PATROL_INTERVAL, watch::patrol);
        }
        return List.copyOf(watches);
    }

    @Override
    public NodeStatus status() {
        NodeStatus status = super.status();
        if (!status.votes()) {
            return status;
        }
        Answer now = answer;
        Duration passed = time.now().surelySince(now.at());
        if (now.standing() instanceof NodeStanding.Quarantined quarantined) {
            return NodeStatus.quarantined(
                    name(), config.quarantineLeft(quarantined.observed().plus(passed)));
        }
        return now.standing() instanceof NodeStanding.Unknown unknown
                ? NodeStatus.unknown(name(), passed, unknown)
                : status;
    }

    @Override
    public CompletionStage<Reply> ask(Claim claim) {
        return checked(super.ask(claim));
    }

    @Override
    public List<? extends CompletionStage<Reply>> askAll(List<Claim> claims) {
        return node().askAll(claims).stream().map(this::checked).toList();
    }

    private CompletionStage<Reply> checked(CompletionStage<Reply> asked) {
        return asked.thenApply(reply -> {
            if (!(reply instanceof Reply.Quarantined)) {
                return reply;
            }
            begin();
            // A client that cannot end the quarantine must not wait for its end.
            return answer.standing() instanceof NodeStanding.Unknown unknown && unknown.lasting()
                    ? Reply.unfit(unknown.cause())
                    : reply;
        });
    }

    /**
     * Probes the node, in case it has been restarted, or a step of the present probes has failed, as for lack of
     * memory, and no other step follows.
     */
    private boolean patrol() {
        if (closed) {
            return false;
        }
        int sent = probes.get();
        patrolsWithoutProbe = sent == probesBefore ? patrolsWithoutProbe + 1 : 0;
        probesBefore = sent;
        if (patrolsWithoutProbe >= PATROLS_UNTIL_BROKEN) {
            probing.set(false);
        }
        begin();
        return true;
    }

    private void begin() {
        if (probing.compareAndSet(false, true)) {
            repliedAt = null;
            othersIdle = 0;
            othersLate = 0;
            quarantine = "";
            probeNow(null);
        }
    }

    private void probeNow(SetMemory.@Nullable Forgotten forgotten) {
        if (closed) {
            return;
        }
        Moment last = repliedAt;
        Duration observed = last == null ? Duration.ZERO : time.now().surelySince(last);
        boolean takeOver = othersIdle >= INTERVALS_UNTIL_GONE || othersLate >= INTERVALS_UNTIL_GONE;
        // If the reply is lost, it is unknown whether this time was counted. So it is not sent again.
        repliedAt = null;
        int probe = probes.incrementAndGet();
        String known = quarantine;
        probe(new QuarantineProbe(
                        probeName(probe - 1),
                        probeName(probe),
                        takeOver,
                        observed,
                        config.quarantine(),
                        forgotten == null ? null : forgotten.fence(),
                        config,
                        forgotten == null ? null : forgotten.agreed(),
                        known,
                        known.isEmpty() ? null : time.machineReading()))
                .thenAccept(standing -> answered(probe, standing));
    }

    private String probeName(int probe) {
        return observer + ":" + probe;
    }

    private void answered(int probe, NodeStanding standing) {
        if (probe != probes.get()) {
            return;
        }
        boolean still = answer.standing() instanceof NodeStanding.Unknown && standing instanceof NodeStanding.Unknown;
        answer = new Answer(standing, still ? answer.at() : time.now());
        if (standing instanceof NodeStanding.Quarantined quarantined) {
            Duration left = config.quarantine().minus(quarantined.observed());
            boolean complete = left.isZero() || left.isNegative();
            boolean isNew = !quarantine.equals(quarantined.quarantine());
            note(quarantined, complete);
            // A client that ends soon admits the node itself; later, the observer does.
            if (complete && (quarantined.byUs() || othersLate == 1)) {
                memory.learn(node()).thenAccept(this::probeWith);
            } else {
                // The clock of this machine counts from the second probe, which a client that ends soon must not miss.
                time.schedule(
                        isNew ? Duration.ZERO : complete ? interval : shorter(interval, left), () -> probeNow(null));
            }
            // Last, because a listener that throws must not end the chain of probes.
            announce(left);
        } else if (standing instanceof NodeStanding.Unknown unknown && unknown.reason() == Reason.CLOSED_SET) {
            openIfSetIsOpen(probe, unknown);
        } else if (standing instanceof NodeStanding.Unknown unknown) {
            askAgain(unknown);
        } else {
            end();
        }
    }

    /** Mends a node that rejects this client although the others do not. */
    private void openIfSetIsOpen(int probe, NodeStanding.Unknown unknown) {
        memory.open(node(), probeName(probe)).thenAccept(isOpen -> {
            boolean isLast = probe == probes.get();
            if (isLast && isOpen) {
                probeNow(null);
            } else if (isLast) {
                askAgain(unknown);
            }
        });
    }

    private void askAgain(NodeStanding.Unknown unknown) {
        if (unknown.lasting() && !announced) {
            end();
        } else {
            time.schedule(
                    unknown.lasting() ? PATROL_INTERVAL : announced ? interval : RETRY_INTERVAL, () -> probeNow(null));
        }
    }

    /**
     * Records whose time counts. This client's time counts from this reply if it is the observer. Another observer
     * whose time is complete admits the node soon, or cannot learn its floor.
     */
    private void note(NodeStanding.Quarantined quarantined, boolean complete) {
        boolean othersGoOn = !quarantined.observed().equals(othersObserved);
        repliedAt = quarantined.byUs() ? time.now() : null;
        othersIdle = quarantined.byUs() || othersGoOn ? 0 : othersIdle + 1;
        othersLate = quarantined.byUs() || !complete ? 0 : othersLate + 1;
        othersObserved = quarantined.observed();
        quarantine = quarantined.quarantine();
    }

    private void probeWith(SetMemory.@Nullable Forgotten forgotten) {
        time.schedule(forgotten == null ? interval : Duration.ZERO, () -> probeNow(forgotten));
    }

    private void announce(Duration left) {
        if (!announced) {
            announced = true;
            listener.accept(NodeStatus.quarantined(name(), left));
        }
    }

    private void end() {
        boolean announces = announced;
        announced = false;
        probing.set(false);
        if (announces) {
            listener.accept(NodeStatus.voting(name()));
        }
    }

    @Override
    public void close() {
        closed = true;
        super.close();
    }
}
