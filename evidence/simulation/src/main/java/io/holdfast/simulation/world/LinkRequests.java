package io.holdfast.simulation.world;

import io.holdfast.lease.Owner;
import io.holdfast.node.NodeAdmin;
import io.holdfast.node.NodeLockStatus;
import io.holdfast.record.LockRecord;
import io.holdfast.record.RecordAnswer;
import io.holdfast.record.RecordStore;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.CompletionStage;
import java.util.function.Function;
import java.util.function.Supplier;

/** The requests over a link that concern records, or that an administrator makes to change the nodes. */
record LinkRequests(Link link) implements RecordStore, NodeAdmin {

    @Override
    public CompletionStage<RecordAnswer> read(String resource) {
        return exchanged(() -> link.node().memory().records().read(resource));
    }

    @Override
    public CompletionStage<Boolean> write(String resource, Owner owner, LockRecord record, Duration keep) {
        return exchanged(() -> link.node().memory().records().write(resource, owner, record, keep));
    }

    @Override
    public CompletionStage<Agreement> agreement() {
        return ask(NodeAdmin::agreement);
    }

    @Override
    public CompletionStage<Agreement> agree(String mark, Agreement next) {
        return ask(node -> node.agree(mark, next));
    }

    @Override
    public CompletionStage<NamePage> names(String from) {
        return ask(node -> node.names(from));
    }

    @Override
    public CompletionStage<NodeLockStatus> inspect(String resource) {
        return ask(node -> node.inspect(resource));
    }

    /** Sends a request; without a reply, it fails. */
    private <T> CompletionStage<T> exchanged(Supplier<CompletionStage<T>> atNode) {
        Optional<T> none = Optional.empty();
        return link.exchange(
                        () -> Optional.of(atNode.get().toCompletableFuture().join()), none, none)
                .thenApply(present -> present.orElseThrow(() -> new IllegalStateException("the connection was lost")));
    }

    private <T> CompletionStage<T> ask(Function<NodeAdmin, CompletionStage<T>> question) {
        return exchanged(() -> question.apply(link.node().memory().admin()));
    }
}
