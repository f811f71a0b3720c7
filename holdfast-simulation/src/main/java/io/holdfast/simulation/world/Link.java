package io.holdfast.simulation.world;

import io.holdfast.node.Claim;
import io.holdfast.node.LockNode;
import io.holdfast.node.NodeStanding;
import io.holdfast.node.QuarantineProbe;
import io.holdfast.node.Reply;
import io.holdfast.node.WakeUp;
import java.time.Duration;
import java.util.LinkedHashSet;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.function.Consumer;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * A node as a client sees it, over a connection to one process of the server. When the connection is lost, every
 * request without a reply fails; the link reconnects by itself after a while.
 */
public final class Link implements LockNode {

    private static final Duration RECONNECT_DELAY = Duration.ofMillis(20);
    /** The longest stall of a connection before it is closed: a lost message is lost with its connection. */
    private static final Duration STANDSTILL = Duration.ofSeconds(1);

    private final SimulatedClient client;
    private final SimulatedNode node;
    private final Channel requests;
    private final Channel replies;
    private final Observer observer;
    private @Nullable Connection connection;
    private String inbox = "";
    private @Nullable Consumer<WakeUp> inboxConsumer;
    private boolean closed;

    /** A connection to one process of the server, with the requests that wait for a reply. */
    private static final class Connection {

        private final int process;
        private final Set<Runnable> waiting = new LinkedHashSet<>();

        Connection(int process) {
            this.process = process;
        }
    }

    Link(SimulatedClient client, SimulatedNode node, Channel requests, Channel replies, Observer observer) {
        this.client = client;
        this.node = node;
        this.requests = requests;
        this.replies = replies;
        this.observer = observer;
        this.connection = new Connection(node.process());
        node.onConnectionsLost(this::reset);
    }

    @Override
    public String name() {
        return node.name();
    }

    /** Returns the address at which the client receives notifications of the node. */
    public String inbox() {
        return inbox;
    }

    public Channel requests() {
        return requests;
    }

    public Channel replies() {
        return replies;
    }

    @Override
    public CompletionStage<Reply> ask(Claim claim) {
        observer.sent(client, node, claim);
        return exchange(
                () -> {
                    observer.arrived(node, claim);
                    node.noteResource(claim.resource());
                    Reply reply = node.memory().ask(claim).toCompletableFuture().join();
                    observer.processed(node, claim, reply);
                    return reply;
                },
                Reply.notSent("not connected"),
                Reply.unknown("the connection was lost"));
    }

    @Override
    public CompletionStage<NodeStanding> probe(QuarantineProbe probe) {
        NodeStanding unknown = new NodeStanding.Unknown("not connected");
        return exchange(() -> node.memory().probe(probe).toCompletableFuture().join(), unknown, unknown);
    }

    @Override
    public void listen(String name, Consumer<WakeUp> consumer) {
        inbox = name;
        inboxConsumer = consumer;
        Connection over = connection;
        if (over != null) {
            listenOver(over);
        }
    }

    private void listenOver(Connection over) {
        Consumer<WakeUp> consumer = inboxConsumer;
        if (consumer != null) {
            node.memory()
                    .listen(
                            inbox,
                            wake -> replies.carry(
                                    () -> client.time().run(() -> {
                                        if (over.equals(connection)) {
                                            consumer.accept(wake);
                                        }
                                    }),
                                    () -> standStill(over)));
        }
    }

    @Override
    public boolean canNotify() {
        return connection != null;
    }

    private <T> CompletionStage<T> exchange(Supplier<T> atNode, T notSent, T lost) {
        Connection over = connection;
        if (over == null) {
            return CompletableFuture.completedFuture(notSent);
        }
        CompletableFuture<T> reply = new CompletableFuture<>();
        Runnable failure = () -> reply.complete(lost);
        over.waiting.add(failure);
        Runnable request = () -> replies.carry(deliver(over, failure, reply, atNode.get()), () -> standStill(over));
        requests.carry(
                () -> {
                    if (!node.receive(over.process, request)) {
                        lose(over);
                    }
                },
                () -> standStill(over));
        return reply;
    }

    /** Delivers a reply, unless its connection was lost while it was on its way. */
    private <T> Runnable deliver(Connection over, Runnable failure, CompletableFuture<T> reply, T answer) {
        return () -> client.time().run(() -> {
            if (over.waiting.remove(failure)) {
                reply.complete(answer);
            }
        });
    }

    private void standStill(Connection over) {
        client.time().run(() -> client.time().schedule(STANDSTILL, () -> lose(over)));
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
            node.memory().unlisten(inbox);
        }
        client.time().run(() -> {
            if (present) {
                client.time().schedule(RECONNECT_DELAY, this::connect);
            }
            Set<Runnable> failures = new LinkedHashSet<>(over.waiting);
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
        node.memory().unlisten(inbox);
    }
}
