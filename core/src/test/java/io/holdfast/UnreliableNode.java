package io.holdfast;

import io.holdfast.lease.FencingToken;
import io.holdfast.lease.Owner;
import io.holdfast.node.Claim;
import io.holdfast.node.LockNode;
import io.holdfast.node.NodeStanding;
import io.holdfast.node.QuarantineProbe;
import io.holdfast.node.Reply;
import io.holdfast.node.WakeUp;
import io.holdfast.node.memory.InMemoryNode;
import io.holdfast.record.RecordStore;
import io.holdfast.time.VirtualTime;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * An in-memory node behind a network that a test controls: latency in both directions, lost requests and lost replies.
 */
public final class UnreliableNode implements LockNode {

    private final VirtualTime time;
    private final InMemoryNode node;
    private final List<Claim> received = new ArrayList<>();
    private final List<Integer> batchSizes = new ArrayList<>();
    private final List<Runnable> heldBack = new ArrayList<>();
    private Duration latency = Duration.ZERO;
    private boolean silent;
    private boolean frozen;
    private Reply.@Nullable Failed down;
    private boolean mayNotProbe;
    private Claim.@Nullable Action lostAction;
    private Claim.@Nullable Action delayedAction;
    private int toLose;
    private boolean closed;
    private Runnable beforeEach = () -> {};
    private boolean canNotify;
    private boolean relaysNotifications;
    private final List<Consumer<WakeUp>> listeners = new ArrayList<>();

    public UnreliableNode(String name, VirtualTime time) {
        this(time, new InMemoryNode(name, time));
    }

    private UnreliableNode(VirtualTime time, InMemoryNode node) {
        this.time = time;
        this.node = node;
    }

    /** Returns a node that is in quarantine at first and after each restart. */
    public static UnreliableNode guarded(String name, VirtualTime time) {
        return new UnreliableNode(time, InMemoryNode.guarded(name, time));
    }

    public static List<UnreliableNode> several(int count, VirtualTime time) {
        List<UnreliableNode> nodes = new ArrayList<>();
        for (int i = 0; i < count; i++) {
            nodes.add(new UnreliableNode("node-" + (char) ('a' + i), time));
        }
        return nodes;
    }

    /** Makes the node report that it can notify clients; a test does so with {@link #notifyClients}. */
    public void enableNotifications() {
        canNotify = true;
    }

    /** Makes the node report that it cannot notify clients, as after the loss of a connection. */
    public void disableNotifications() {
        canNotify = false;
    }

    /** Sends every client the notification that the lock is reserved for it. */
    public void notifyClients(String resource) {
        List.copyOf(listeners).forEach(listener -> listener.accept(WakeUp.reserved(resource, FencingToken.NONE)));
    }

    /** Sends every client this notification. */
    public void notifyClients(WakeUp wake) {
        List.copyOf(listeners).forEach(listener -> listener.accept(wake));
    }

    @Override
    public void listen(String inbox, Consumer<WakeUp> consumer) {
        listeners.add(consumer);
        node.listen(inbox, wake -> {
            if (relaysNotifications) {
                time.schedule(latency, () -> consumer.accept(wake));
            }
        });
    }

    /** Returns how long the node keeps the lock unless it is extended. */
    public Duration timeLeft(String resource) {
        return node.timeLeft(resource);
    }

    /** Loses all notifications to the clients that listen now; the node does not notice that. */
    public void forgetClients() {
        node.waitQueue("a").forEach(inbox -> node.listen(inbox, wake -> {}));
    }

    /** Makes the node notify clients by itself, with its latency. */
    public void relayNotifications() {
        canNotify = true;
        relaysNotifications = true;
    }

    @Override
    public boolean canNotify() {
        return canNotify;
    }

    /** Sets the latency of each claim and of each reply. */
    public void latency(Duration newLatency) {
        latency = newLatency;
    }

    /** Lets the node carry out claims without a reply, until this is reset. */
    public void silent(boolean isSilent) {
        silent = isSilent;
    }

    /** Delays all claims until the node thaws and carries them out in their order. */
    public void freeze() {
        frozen = true;
    }

    /** Delays claims with this action until the node thaws; other claims overtake them. */
    public void delay(Claim.Action action) {
        delayedAction = action;
    }

    public void thaw() {
        frozen = false;
        delayedAction = null;
        List<Runnable> waiting = List.copyOf(heldBack);
        heldBack.clear();
        waiting.forEach(Runnable::run);
    }

    /** Lets claims fail at once, as on a closed connection. */
    public void down() {
        down = new Reply.Failed(false, "not connected", false);
    }

    /** Refuses claims for a reason that waiting cannot mend. */
    public void unfit(String cause) {
        down = Reply.unfit(cause);
    }

    public void up() {
        down = null;
    }

    /** Refuses probes for a reason that waiting cannot mend; claims are carried out. */
    public void mayNotProbe() {
        mayNotProbe = true;
    }

    /** Loses the next claims with this action, which fail as unknown. */
    public void loseNext(Claim.Action action, int count) {
        lostAction = action;
        toLose = count;
    }

    /** Runs this before each claim is sent. */
    public void beforeEach(Runnable action) {
        beforeEach = action;
    }

    @Override
    public String name() {
        return node.name();
    }

    @Override
    public CompletionStage<Reply> ask(Claim claim) {
        beforeEach.run();
        received.add(claim);
        if (down != null) {
            return CompletableFuture.completedFuture(down);
        }
        if (claim.action() == lostAction && toLose > 0) {
            toLose--;
            return CompletableFuture.completedFuture(Reply.unknown("connection lost"));
        }
        CompletableFuture<Reply> reply = new CompletableFuture<>();
        Runnable work = () -> carryOut(claim, reply);
        if (frozen || claim.action() == delayedAction) {
            heldBack.add(work);
        } else if (latency.isZero()) {
            work.run();
        } else {
            time.schedule(latency, work);
        }
        return reply;
    }

    @Override
    public List<? extends CompletionStage<Reply>> askAll(List<Claim> claims) {
        batchSizes.add(claims.size());
        return LockNode.super.askAll(claims);
    }

    /** Returns the sizes of the batches of claims that were sent batchSizes. */
    public List<Integer> batchSizes() {
        return batchSizes;
    }

    @Override
    public CompletionStage<NodeStanding> probe(QuarantineProbe probe) {
        if (down != null || frozen || silent) {
            return CompletableFuture.completedFuture(new NodeStanding.Unknown("no answer", false));
        }
        if (mayNotProbe) {
            return CompletableFuture.completedFuture(new NodeStanding.Unknown("may not probe", true));
        }
        CompletableFuture<NodeStanding> answer = new CompletableFuture<>();
        time.schedule(
                latency,
                () -> node.probe(probe)
                        .thenAccept(standing -> time.schedule(latency, () -> answer.complete(standing))));
        return answer;
    }

    /** Reads and writes records without latency, while the node is neither down nor silent. */
    @Override
    public RecordStore records() {
        return down == null && !silent ? node.records() : RecordStore.NONE;
    }

    /** Returns the node behind the network. */
    public InMemoryNode node() {
        return node;
    }

    private void carryOut(Claim claim, CompletableFuture<Reply> reply) {
        node.ask(claim).thenAccept(answer -> {
            if (silent) {
                return;
            }
            if (latency.isZero()) {
                reply.complete(answer);
            } else {
                time.schedule(latency, () -> reply.complete(answer));
            }
        });
    }

    public @Nullable Owner ownerOf(String resource) {
        return node.ownerOf(resource);
    }

    /** Returns all claims that were sent, in order. */
    public List<Claim> received() {
        return received;
    }

    public long received(Claim.Action action) {
        return received.stream().filter(claim -> claim.action() == action).count();
    }

    @Override
    public void close() {
        closed = true;
    }

    public boolean isClosed() {
        return closed;
    }
}
