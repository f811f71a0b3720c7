package io.holdfast.micrometer;

import io.holdfast.node.Claim;
import io.holdfast.node.ForwardingNode;
import io.holdfast.node.LockNode;
import io.holdfast.node.Reply;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.Tags;
import io.micrometer.core.instrument.Timer;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ConcurrentHashMap;

/** A node whose requests are measured from the call to the reply. Thread-safe if the node is. */
final class MeteredNode extends ForwardingNode {

    private final MeterRegistry registry;
    private final Tags tags;
    private final Map<Kind, Timer> timers = new ConcurrentHashMap<>();

    private record Kind(Claim.Action action, Class<? extends Reply> reply) {}

    MeteredNode(LockNode node, MeterRegistry registry, Tags tags) {
        super(node);
        this.registry = registry;
        this.tags = tags;
    }

    @Override
    public CompletionStage<Reply> ask(Claim claim) {
        Timer.Sample sample = Timer.start(registry);
        return measured(super.ask(claim), claim.action(), sample);
    }

    @Override
    public List<? extends CompletionStage<Reply>> askAll(List<Claim> claims) {
        Timer.Sample sample = Timer.start(registry);
        List<? extends CompletionStage<Reply>> replies = node().askAll(claims);
        List<CompletionStage<Reply>> measured = new ArrayList<>(claims.size());
        for (int i = 0; i < claims.size(); i++) {
            measured.add(measured(replies.get(i), claims.get(i).action(), sample));
        }
        return measured;
    }

    private CompletionStage<Reply> measured(CompletionStage<Reply> stage, Claim.Action action, Timer.Sample sample) {
        return stage.thenApply(reply -> {
            // The reply is a vote, which an exception from a filter must not lose.
            HandlerGuard.run(() -> sample.stop(
                    timers.computeIfAbsent(new Kind(action, reply.getClass()), kind -> timer(action, reply))));
            return reply;
        });
    }

    private Timer timer(Claim.Action action, Reply reply) {
        return Timer.builder("holdfast.node.requests")
                .description("Requests to nodes, from the call to the reply")
                .tags(tags.and(
                        "node",
                        NodeMeters.place(name()),
                        "action",
                        word(action.name()),
                        "reply",
                        word(reply.getClass().getSimpleName())))
                .register(registry);
    }

    private static String word(String name) {
        return name.toLowerCase(Locale.ROOT);
    }
}
