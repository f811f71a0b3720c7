package io.holdfast.client;

import io.holdfast.node.Claim;
import io.holdfast.node.ForwardingNode;
import io.holdfast.node.LockNode;
import io.holdfast.node.Reply;
import io.holdfast.node.WaitTicket;
import io.holdfast.node.WakeUp;
import java.util.List;
import java.util.concurrent.CompletionStage;
import java.util.function.Consumer;

/**
 * A node of the previous set, on which the client waits under a name of its own. A server may be a node of both sets,
 * with two databases. Its messages do not say from which database they come, so they would count as votes of both
 * nodes. Thread-safe.
 */
public final class PreviousNode extends ForwardingNode {

    /** Creates a node that forwards to this one. */
    public PreviousNode(LockNode node) {
        super(node);
    }

    /** Returns the name under which the client with this id waits on nodes of the previous set. */
    static String waiter(String client) {
        return client + WaitTicket.PREVIOUS_SUFFIX;
    }

    @Override
    public void listen(String inbox, Consumer<WakeUp> consumer) {
        node().listen(waiter(inbox), consumer);
    }

    @Override
    public CompletionStage<Reply> ask(Claim claim) {
        return node().ask(renamed(claim));
    }

    @Override
    public List<? extends CompletionStage<Reply>> askAll(List<Claim> claims) {
        return node().askAll(claims.stream().map(PreviousNode::renamed).toList());
    }

    private static Claim renamed(Claim claim) {
        WaitTicket ticket = claim.ticket();
        return ticket == null
                ? claim
                : claim.withTicket(
                        new WaitTicket(waiter(ticket.inbox()), ticket.number(), ticket.fair(), ticket.mode()));
    }
}
