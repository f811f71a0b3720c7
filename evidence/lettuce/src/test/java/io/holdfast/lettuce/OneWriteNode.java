package io.holdfast.lettuce;

import static io.holdfast.servers.Eventually.eventually;
import static io.holdfast.servers.Eventually.result;

import io.holdfast.lease.FencingToken;
import io.holdfast.lease.Owner;
import io.holdfast.node.Claim;
import io.holdfast.node.ForwardingNode;
import io.holdfast.node.LockNode;
import io.holdfast.node.NodeAddress;
import io.holdfast.node.NodeSettings;
import io.holdfast.node.Reply;
import io.holdfast.node.WakeUp;
import io.holdfast.redis.keys.Keys;
import io.holdfast.servers.RedisServer;
import io.holdfast.time.Time;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.Semaphore;
import java.util.function.Consumer;

/**
 * A node on one server that writes the claims of a call in as few batches as possible: the thread that writes is busy
 * until all of them wait.
 */
final class OneWriteNode extends ForwardingNode {

    private static final String BUSY = "busy";
    private static final Claim ALONE = Claim.acquire(
                    "alone", new Owner("none"), Duration.ofSeconds(1), FencingToken.NONE)
            .extend(Duration.ofSeconds(1));

    private final RedisServer server;
    private final Semaphore isBusy = new Semaphore(0);
    private final Semaphore isFree = new Semaphore(0);
    private String inbox = "";

    private OneWriteNode(LockNode node, RedisServer server) {
        super(node);
        this.server = server;
        listen("inbox", wakeUp -> {});
    }

    static OneWriteNode on(RedisServer server, NodeSettings settings, Time time) {
        List<NodeAddress> address = List.of(NodeAddress.parse(server.uri().toString()));
        return new OneWriteNode(
                new LettuceNodes().connect(address, settings, time).get(0), server);
    }

    @Override
    public void listen(String name, Consumer<WakeUp> consumer) {
        inbox = name;
        // The consumer of messages runs on the thread that writes.
        super.listen(name, wakeUp -> {
            if (wakeUp.resource().equals(BUSY)) {
                isBusy.release();
                isFree.acquireUninterruptibly();
            } else {
                consumer.accept(wakeUp);
            }
        });
    }

    @Override
    public List<? extends CompletionStage<Reply>> askAll(List<Claim> claims) {
        eventually("a message is received", () -> {
            result(ask(ALONE));
            return canNotify()
                    && !server.exec("PUBLISH", Keys.channel(inbox), "0 1 " + BUSY)
                            .equals(0L);
        });
        isBusy.acquireUninterruptibly();
        // The first claim that waits for a reply is in no batch.
        ask(ALONE);
        List<? extends CompletionStage<Reply>> replies = super.askAll(claims);
        isFree.release();
        return replies;
    }
}
