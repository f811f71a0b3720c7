package io.holdfast.micrometer;

import io.holdfast.node.Claim;
import io.holdfast.node.LockNode;
import io.holdfast.node.NodeAdmin;
import io.holdfast.node.NodeStanding;
import io.holdfast.node.NodeStatus;
import io.holdfast.node.QuarantineProbe;
import io.holdfast.node.Reply;
import io.holdfast.node.WakeUp;
import io.holdfast.record.RecordStore;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.Tags;
import io.micrometer.core.instrument.Timer;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Consumer;

/** A node whose requests are measured from the call to the reply. Thread-safe if the node is. */
final class MeteredNode implements LockNode {

    private final LockNode node;
    private final MeterRegistry registry;
    private final NodeRequestConvention convention;
    private final Tags tags;
    private final Map<Kind, Timer> timers = new ConcurrentHashMap<>();

    private record Kind(Claim.Action action, Class<? extends Reply> reply) {}

    MeteredNode(LockNode node, MeterRegistry registry, NodeRequestConvention convention, Tags tags) {
        this.node = node;
        this.registry = registry;
        this.convention = convention;
        this.tags = tags;
    }

    @Override
    public CompletionStage<Reply> ask(Claim claim) {
        Timer.Sample sample = Timer.start(registry);
        return measured(node.ask(claim), claim.action(), sample);
    }

    @Override
    public List<? extends CompletionStage<Reply>> askAll(List<Claim> claims) {
        Timer.Sample sample = Timer.start(registry);
        List<? extends CompletionStage<Reply>> replies = node.askAll(claims);
        List<CompletionStage<Reply>> measured = new ArrayList<>(claims.size());
        for (int i = 0; i < claims.size(); i++) {
            measured.add(measured(replies.get(i), claims.get(i).action(), sample));
        }
        return measured;
    }

    private CompletionStage<Reply> measured(CompletionStage<Reply> stage, Claim.Action action, Timer.Sample sample) {
        return stage.thenApply(reply -> {
            // The reply is a vote, which an exception from a filter or a convention must not lose.
            HandlerGuard.run(() -> sample.stop(
                    timers.computeIfAbsent(new Kind(action, reply.getClass()), kind -> timer(action, reply))));
            return reply;
        });
    }

    private Timer timer(Claim.Action action, Reply reply) {
        return Timer.builder(convention.name())
                .description("Requests to nodes, from the call to the reply")
                .tags(tags.and(convention.tags(name(), action, reply)))
                .register(registry);
    }

    @Override
    public String name() {
        return node.name();
    }

    @Override
    public CompletionStage<NodeStanding> probe(QuarantineProbe probe) {
        return node.probe(probe);
    }

    @Override
    public void listen(String inbox, Consumer<WakeUp> consumer) {
        node.listen(inbox, consumer);
    }

    @Override
    public boolean canNotify() {
        return node.canNotify();
    }

    @Override
    public NodeStatus status() {
        return node.status();
    }

    @Override
    public NodeAdmin admin() {
        return node.admin();
    }

    @Override
    public RecordStore records() {
        return node.records();
    }

    @Override
    public void close() {
        node.close();
    }

    @Override
    public CompletionStage<?> freed() {
        return node.freed();
    }
}
