package io.holdfast.quorum;

import static io.holdfast.time.Durations.shorter;

import io.holdfast.event.Quarantine;
import io.holdfast.node.Claim;
import io.holdfast.node.FencingToken;
import io.holdfast.node.Fleet;
import io.holdfast.node.LockNode;
import io.holdfast.node.Membership;
import io.holdfast.node.NodeStatus;
import io.holdfast.node.Operations;
import io.holdfast.node.Reply;
import io.holdfast.node.Wake;
import io.holdfast.node.Watch;
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
 * A node together with this client's part in ending its quarantine: watch the node for as long as the longest lease, alone or
 * in turns with other clients, then learn from the other nodes which fences it may have forgotten, and admit it. One look at
 * a time is under way.
 *
 * <p>The node itself keeps the time that was watched and refuses claims until it is admitted, so no client can be mistaken
 * about it.
 */
final class GuardedNode implements LockNode {

    private static final Duration LONGEST_INTERVAL = Duration.ofMillis(100);
    private static final int LOOKS_PER_QUARANTINE = 100;
    /** A watcher who has added nothing for so many intervals is taken for gone. */
    private static final int INTERVALS_UNTIL_GONE = 3;
    /** How soon a restart is noticed by a client that asks for nothing. */
    private static final Duration PATROL_INTERVAL = Duration.ofSeconds(5);

    private final LockNode node;
    private final Fleet fleet;
    private final String watcher;
    private final Duration interval;
    private final FenceFloor floors;
    private final Time time;
    private final Consumer<Quarantine> listener;
    private final AtomicBoolean watching = new AtomicBoolean();
    private volatile @Nullable Moment heard;
    private volatile Duration othersWatched = Duration.ZERO;
    private volatile int othersIdle;
    private volatile int othersLate;
    private final AtomicInteger looks = new AtomicInteger();
    private volatile boolean told;
    private volatile boolean closed;
    private volatile Answer answer;

    /** What the node said last, and when; of a node that does not answer, since when. */
    private record Answer(Membership membership, Moment at) {}

    GuardedNode(
            LockNode node, Fleet fleet, String watcher, FenceFloor floors, Time time, Consumer<Quarantine> listener) {
        this.node = node;
        this.fleet = fleet;
        this.interval = shorter(LONGEST_INTERVAL, Durations.part(fleet.quarantine(), LOOKS_PER_QUARANTINE));
        this.watcher = watcher;
        this.floors = floors;
        this.time = time;
        this.listener = listener;
        this.answer = new Answer(new Membership.Unknown("it has not answered yet"), time.now());
    }

    @Override
    public String name() {
        return node.name();
    }

    @Override
    public NodeStatus status() {
        NodeStatus status = node.status();
        if (!status.votes()) {
            return status;
        }
        Answer now = answer;
        Duration passed = time.now().surelySince(now.at());
        if (now.membership() instanceof Membership.Quarantined quarantined) {
            Duration left = fleet.quarantine().minus(quarantined.watched()).minus(passed);
            return NodeStatus.quarantined(name(), left.isNegative() ? Duration.ZERO : left);
        }
        return now.membership() instanceof Membership.Unknown unknown
                ? NodeStatus.unreachable(name(), passed, unknown.cause())
                : status;
    }

    @Override
    public Operations operations() {
        return node.operations();
    }

    @Override
    public CompletionStage<Reply> ask(Claim claim) {
        return noticing(node.ask(claim));
    }

    @Override
    public List<? extends CompletionStage<Reply>> askAll(List<Claim> claims) {
        return node.askAll(claims).stream().map(this::noticing).toList();
    }

    private CompletionStage<Reply> noticing(CompletionStage<Reply> asked) {
        return asked.thenApply(reply -> {
            if (reply instanceof Reply.Quarantined) {
                begin();
            }
            return reply;
        });
    }

    @Override
    public CompletionStage<Membership> watch(Watch watch) {
        return node.watch(watch);
    }

    @Override
    public void listen(String inbox, Consumer<Wake> consumer) {
        node.listen(inbox, consumer);
    }

    @Override
    public boolean wakes() {
        return node.wakes();
    }

    /** Looks now and then whether the node has been restarted. */
    void patrol() {
        if (!closed) {
            begin();
            time.schedule(PATROL_INTERVAL, this::patrol);
        }
    }

    private void begin() {
        if (watching.compareAndSet(false, true)) {
            heard = null;
            othersIdle = 0;
            othersLate = 0;
            look(null);
        }
    }

    private void look(@Nullable FencingToken floor) {
        if (closed) {
            return;
        }
        Moment last = heard;
        Duration watched = last == null ? Duration.ZERO : time.now().surelySince(last);
        boolean takeOver = othersIdle >= INTERVALS_UNTIL_GONE || othersLate >= INTERVALS_UNTIL_GONE;
        // Were the reply lost, nobody would know whether this time has been counted. So it is not offered again.
        heard = null;
        int look = looks.incrementAndGet();
        node.watch(new Watch(named(look - 1), named(look), takeOver, watched, fleet.quarantine(), floor, fleet))
                .thenAccept(this::hear);
    }

    private String named(int look) {
        return watcher + ":" + look;
    }

    private void hear(Membership membership) {
        boolean same = answer.membership() instanceof Membership.Unknown && membership instanceof Membership.Unknown;
        answer = new Answer(membership, same ? answer.at() : time.now());
        if (membership instanceof Membership.Quarantined quarantined) {
            Duration left = fleet.quarantine().minus(quarantined.watched());
            boolean enough = left.isZero() || left.isNegative();
            note(quarantined, enough);
            if (enough && quarantined.byUs()) {
                floors.learn(node).thenAccept(this::lookWith);
            } else {
                time.schedule(enough ? interval : shorter(interval, left), () -> look(null));
            }
            // Last, because a listener that throws must not end the chain of looks.
            tell(left);
        } else if (membership instanceof Membership.Unknown && told) {
            time.schedule(interval, () -> look(null));
        } else {
            end();
        }
    }

    /**
     * Our time counts from this reply, or another's goes on, or it does not. Another who has watched for long enough admits the
     * node soon, or cannot learn its floor.
     */
    private void note(Membership.Quarantined quarantined, boolean enough) {
        boolean othersGoOn = !quarantined.watched().equals(othersWatched);
        heard = quarantined.byUs() ? time.now() : null;
        othersIdle = quarantined.byUs() || othersGoOn ? 0 : othersIdle + 1;
        othersLate = quarantined.byUs() || !enough ? 0 : othersLate + 1;
        othersWatched = quarantined.watched();
    }

    private void lookWith(@Nullable FencingToken floor) {
        time.schedule(floor == null ? interval : Duration.ZERO, () -> look(floor));
    }

    private void tell(Duration left) {
        if (!told) {
            told = true;
            listener.accept(new Quarantine(name(), left));
        }
    }

    private void end() {
        boolean tells = told;
        told = false;
        watching.set(false);
        if (tells) {
            listener.accept(new Quarantine(name(), Duration.ZERO));
        }
    }

    @Override
    public void close() {
        closed = true;
        node.close();
    }
}
