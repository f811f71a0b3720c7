package io.holdfast.simulation.world;

import io.holdfast.node.Claim;
import io.holdfast.node.LockNode;
import io.holdfast.node.NodeAdmin;
import io.holdfast.node.NodeStanding;
import io.holdfast.node.QuarantineProbe;
import io.holdfast.node.QuorumConfig;
import io.holdfast.node.Reply;
import io.holdfast.node.WakeUp;
import io.holdfast.node.batch.ClaimBatches;
import io.holdfast.record.RecordStore;
import java.time.Duration;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.function.Consumer;
import java.util.function.IntFunction;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * A node as a client sees it, over a connection to one process of the server. When the connection is lost, every
 * request without a reply fails; the link reconnects by itself after a while.
 */
public final class Link implements LockNode {

    private static final Reply NOT_CONNECTED = Reply.notSent("not connected");
    private static final Reply LOST = Reply.unknown("the connection was lost");
    private static final Duration RECONNECT_DELAY = Duration.ofMillis(20);
    /** The longest stall of a connection before it is closed: a lost message is lost with its connection. */
    private static final Duration STANDSTILL = Duration.ofSeconds(1);

    private final SimulatedClient client;
    private final SimulatedNode node;
    private final QuorumConfig config;
    private final ClaimBatches<Reply> claims = new ClaimBatches<>();
    private final WriteQueue writes;
    private final Channel requests;
    private final Channel replies;
    private final Broadcast observers;
    private @Nullable Connection connection;
    private final Inbox inbox = new Inbox();
    private boolean closed;

    /** A connection to one process of the server, with the requests that wait for a reply. */
    private final class Connection {

        private final int process;
        /** By number, since the identity hash of an object is slow to create. */
        private final Map<Integer, Runnable> waiting = new LinkedHashMap<>();

        private int requests;

        Connection(int process) {
            this.process = process;
        }

        /** Registers what happens to a request if the connection is lost before the reply; returns its number. */
        int await(Runnable failure) {
            waiting.put(++requests, failure);
            return requests;
        }

        /** Ends the connection some time after a message was lost, in either direction. */
        void standStill() {
            client.time().run(() -> client.time().schedule(STANDSTILL, () -> lose(this)));
        }
    }

    /**
     * Creates a link.
     *
     * @param config what the client states about its nodes
     */
    Link(
            SimulatedClient client,
            SimulatedNode node,
            QuorumConfig config,
            Channel requests,
            Channel replies,
            Broadcast observers) {
        this.client = client;
        this.node = node;
        this.config = config;
        this.writes = new WriteQueue(client.time());
        this.requests = requests;
        this.replies = replies;
        this.observers = observers;
        this.connection = new Connection(node.process());
        node.onConnectionsLost(this::reset);
    }

    /** Returns the node at the other end. */
    SimulatedNode node() {
        return node;
    }

    @Override
    public String name() {
        return node.name();
    }

    /** Returns the address at which the client receives notifications of the node. */
    public String inbox() {
        return inbox.name();
    }

    public Channel requests() {
        return requests;
    }

    public Channel replies() {
        return replies;
    }

    /** Sends a claim, together with others if the client is still writing an earlier one, as the real clients do. */
    @Override
    public CompletionStage<Reply> ask(Claim claim) {
        if (claim.action() == Claim.Action.QUERY) {
            return query(claim);
        }
        observers.sent(client, node, claim);
        return ClaimBatches.accepts(claim)
                ? claims.send(claim, this::write)
                : claims.sendAlone(() -> write(() -> List.of(claim)).thenApply(replies -> replies.apply(0)));
    }

    private CompletionStage<IntFunction<Reply>> write(Supplier<List<Claim>> batch) {
        CompletableFuture<IntFunction<Reply>> result = new CompletableFuture<>();
        writes.add(() -> {
            List<Claim> written = batch.get();
            exchange(
                            () -> written.stream().map(this::carryOut).toList(),
                            Collections.nCopies(written.size(), NOT_CONNECTED),
                            Collections.nCopies(written.size(), LOST))
                    .thenAccept(replies -> result.complete(replies::get));
        });
        return result;
    }

    private Reply carryOut(Claim claim) {
        observers.arrived(node, claim);
        node.noteResource(claim.resource());
        Reply reply = node.memory().ask(claim, config).toCompletableFuture().join();
        node.takeCarriedOut().forEach(granted -> observers.carriedOut(node, granted));
        observers.processed(node, claim, reply);
        return reply;
    }

    /** Sends a query. It changes nothing on the node, so no checker observes it. */
    private CompletionStage<Reply> query(Claim claim) {
        return exchange(() -> node.memory().ask(claim).toCompletableFuture().join(), NOT_CONNECTED, LOST);
    }

    @Override
    public CompletionStage<NodeStanding> probe(QuarantineProbe probe) {
        NodeStanding unknown = new NodeStanding.Unknown("not connected");
        return exchange(() -> node.memory().probe(probe).toCompletableFuture().join(), unknown, unknown);
    }

    @Override
    public RecordStore records() {
        return new LinkRequests(this);
    }

    @Override
    public NodeAdmin admin() {
        return new LinkRequests(this);
    }

    @Override
    public void listen(String name, Consumer<WakeUp> consumer) {
        inbox.open(name, consumer);
        Connection over = connection;
        if (over != null) {
            listenOver(over);
        }
    }

    private void listenOver(Connection over) {
        Consumer<WakeUp> consumer = inbox.consumer();
        if (consumer != null) {
            inbox.connect(wake -> replies.carry(
                    () -> client.time().run(() -> {
                        if (over.equals(connection)) {
                            consumer.accept(wake);
                        }
                    }),
                    over::standStill));
            node.memory().listen(inbox.name(), wake -> {
                observers.report(to -> to.notified(node, client, wake));
                inbox.receive(wake);
            });
        }
    }

    /** Makes this a link to a server that is also a node of the other set, with another database. */
    void share(Link other) {
        inbox.share(other.inbox);
    }

    @Override
    public boolean canNotify() {
        return connection != null;
    }

    /** Sends a request to the node, and returns its answer, or one of the others. */
    <T> CompletionStage<T> exchange(Supplier<T> atNode, T notSent, T lost) {
        Connection over = connection;
        if (over == null) {
            return CompletableFuture.completedFuture(notSent);
        }
        CompletableFuture<T> reply = new CompletableFuture<>();
        int number = over.await(() -> reply.complete(lost));
        Runnable request = () -> replies.carry(deliver(over, number, reply, atNode.get()), over::standStill);
        requests.carry(
                () -> {
                    if (!node.receive(over.process, request)) {
                        lose(over);
                    }
                },
                over::standStill);
        return reply;
    }

    /** Delivers a reply, unless its connection was lost while it was on its way. */
    private <T> Runnable deliver(Connection over, Integer number, CompletableFuture<T> reply, T answer) {
        return () -> client.time().run(() -> {
            if (over.waiting.remove(number) != null) {
                reply.complete(answer);
            }
        });
    }

    /** Ends the connection, as a crash of either end or a firewall does. */
    public void reset() {
        Connection over = connection;
        if (over != null) {
            lose(over);
        }
    }

    /** Informs the client of the lost connection as soon as its machine runs. */
    private void lose(Connection over) {
        boolean present = over.equals(connection);
        if (present) {
            connection = null;
            inbox.disconnect();
            node.memory().unlisten(inbox.name());
        }
        client.time().run(() -> {
            if (present) {
                client.time().schedule(RECONNECT_DELAY, this::connect);
            }
            List<Runnable> failures = List.copyOf(over.waiting.values());
            over.waiting.clear();
            failures.forEach(Runnable::run);
        });
    }

    private void connect() {
        if (closed) {
            return;
        } else if (node.isUp()) {
            // A round trip: nothing is sent before the server has reported its process.
            Runnable tryAgain = () -> {};
            requests.carry(
                    () -> {
                        int process = node.process();
                        Runnable welcome = () -> client.time().run(() -> connected(process));
                        node.receive(process, () -> replies.carry(welcome, tryAgain));
                    },
                    tryAgain);
        }
        client.time().schedule(RECONNECT_DELAY.multipliedBy(5), () -> {
            if (connection == null) {
                connect();
            }
        });
    }

    private void connected(int process) {
        if (connection == null && !closed) {
            Connection made = new Connection(process);
            connection = made;
            listenOver(made);
        }
    }

    @Override
    public void close() {
        closed = true;
        node.memory().unlisten(inbox.name());
    }
}
