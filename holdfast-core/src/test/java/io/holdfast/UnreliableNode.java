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
import io.holdfast.time.VirtualTime;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/** An in-memory node behind a network that a test controls: latency both ways, lost requests, lost replies, refusals. */
public final class UnreliableNode implements LockNode {

    private final VirtualTime time;
    private final InMemoryNode node;
    private final List<Claim> received = new ArrayList<>();
    private final List<Integer> together = new ArrayList<>();
    private final List<Runnable> heldBack = new ArrayList<>();
    private Duration latency = Duration.ZERO;
    private boolean silent;
    private boolean frozen;
    private @Nullable String down;
    private Claim.@Nullable Action lostAction;
    private Claim.@Nullable Action delayedAction;
    private int toLose;
    private boolean closed;
    private boolean canNotify;
    private final List<Consumer<WakeUp>> listeners = new ArrayList<>();

    public UnreliableNode(String name, VirtualTime time) {
        this(time, new InMemoryNode(name, time));
    }

    private UnreliableNode(VirtualTime time, InMemoryNode node) {
        this.time = time;
        this.node = node;
    }

    /** A node that is in quarantine at first and after each restart. */
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

    /** From now on it says that it tells clients when it is their turn; a test does that with {@link #call}. */
    public void wakeable() {
        canNotify = true;
    }

    /** From now on it says that it cannot notify clients, as after the loss of a connection. */
    public void unwakeable() {
        canNotify = false;
    }

    /** Tells every client that it may have the lock. */
    public void call(String resource) {
        List.copyOf(listeners).forEach(listener -> listener.accept(WakeUp.reserved(resource, FencingToken.NONE)));
    }

    @Override
    public void listen(String inbox, Consumer<WakeUp> consumer) {
        listeners.add(consumer);
    }

    @Override
    public boolean canNotify() {
        return canNotify;
    }

    /** How long a claim and its reply each travel. */
    public void latency(Duration newLatency) {
        latency = newLatency;
    }

    /** Claims are carried out, but no reply arrives until it is set back. */
    public void silent(boolean isSilent) {
        silent = isSilent;
    }

    /** Claims wait; they are carried out in their order when the node thaws. */
    public void freeze() {
        frozen = true;
    }

    /** Claims of this kind wait until the node thaws; the others overtake them. */
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

    /** Claims fail at once and are never sent. */
    public void down() {
        down = "not connected";
    }

    public void up() {
        down = null;
    }

    /** The next claims of this kind are lost on the way, and fail as unknown. */
    public void loseNext(Claim.Action action, int count) {
        lostAction = action;
        toLose = count;
    }

    @Override
    public String name() {
        return node.name();
    }

    @Override
    public CompletionStage<Reply> ask(Claim claim) {
        received.add(claim);
        if (down != null) {
            return CompletableFuture.completedFuture(Reply.notSent(down));
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
        together.add(claims.size());
        return LockNode.super.askAll(claims);
    }

    /** How many claims were asked for at once, each time. */
    public List<Integer> together() {
        return together;
    }

    @Override
    public CompletionStage<NodeStanding> probe(QuarantineProbe probe) {
        if (down != null || frozen || silent) {
            return CompletableFuture.completedFuture(new NodeStanding.Unknown("no answer"));
        }
        CompletableFuture<NodeStanding> answer = new CompletableFuture<>();
        time.schedule(
                latency,
                () -> node.probe(probe)
                        .thenAccept(standing -> time.schedule(latency, () -> answer.complete(standing))));
        return answer;
    }

    /** The node behind the network. */
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

    /** All claims that were asked, in order. */
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
