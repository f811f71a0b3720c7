package io.holdfast.redis.cluster;

import io.holdfast.lease.ClientDescription;
import io.holdfast.node.Claim;
import io.holdfast.node.Diagnosis;
import io.holdfast.node.Diagnosis.Finding;
import io.holdfast.node.NodeAdmin;
import io.holdfast.node.NodeLockStatus;
import io.holdfast.redis.client.RedisReplies;
import io.holdfast.redis.keys.Keys;
import io.holdfast.redis.script.ScriptNode;
import io.holdfast.time.Time;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.stream.Collectors;

/**
 * The administration of a cluster. Sends a request about one lock to the shard of the lock, and other requests to all
 * shards.
 */
record ClusterAdmin(ClusterShards shards) implements NodeAdmin {

    @Override
    public CompletionStage<NodeLockStatus> inspect(String resource) {
        return shards.ask(resource, shard -> shard.admin().inspect(resource));
    }

    @Override
    public CompletionStage<Boolean> keepListed(String resource) {
        return shards.ask(resource, shard -> shard.admin().keepListed(resource));
    }

    @Override
    public CompletionStage<Boolean> evict(String resource, String note) {
        return shards.ask(resource, shard -> shard.admin().evict(resource, note));
    }

    @Override
    public CompletionStage<Boolean> annotate(Claim held, String text) {
        return shards.ask(held.resource(), shard -> shard.admin().annotate(held, text));
    }

    @Override
    public CompletionStage<Void> describe(String client, ClientDescription description, Duration keep) {
        return shards.ask(Keys.client(client), shard -> shard.admin().describe(client, description, keep));
    }

    @Override
    public CompletionStage<List<String>> recorded() {
        return shards.ask(Keys.RECORDS, shard -> shard.admin().recorded());
    }

    /** Asks the shard of each client. One that fails hides only the clients that it knows. */
    @Override
    public CompletionStage<Map<String, ClientDescription>> clients(List<String> ids) {
        List<CompletionStage<Map<String, ClientDescription>>> replies = ids.stream()
                .map(id -> shards.ask(Keys.client(id), shard -> shard.admin().clients(List.of(id)))
                        .exceptionally(failure -> Map.of()))
                .toList();
        return RedisReplies.all(replies).thenApply(known -> {
            Map<String, ClientDescription> all = new LinkedHashMap<>();
            known.forEach(all::putAll);
            return all;
        });
    }

    /**
     * Reads the shards one after the other, in the order of their addresses. Before the first one, reads the map of
     * slots again: no failure would show that the map lacks a shard. Fails if the map has no shard at all.
     */
    @Override
    public CompletionStage<NamePage> names(String from) {
        CompletionStage<Boolean> mapped =
                from.equals(NamePage.START) ? shards.refreshMap() : CompletableFuture.completedFuture(true);
        return mapped.thenCompose(known -> ClusterCursor.of(from, shards.serving())
                .map(ClusterCursor::page)
                .orElseGet(() -> ClusterShards.failed(shards.unknown())));
    }

    /** Asks for the mark of each lock, since the keys of one command must lie in one slot. */
    @Override
    public CompletionStage<List<Integer>> marks(List<String> resources) {
        List<CompletionStage<List<Integer>>> replies = resources.stream()
                .map(resource -> shards.ask(resource, shard -> shard.admin().marks(List.of(resource))))
                .toList();
        return RedisReplies.all(replies)
                .thenApply(marks -> marks.stream().flatMap(List::stream).toList());
    }

    @Override
    public CompletionStage<Diagnosis> examine(Time time) {
        List<ScriptNode> serving = shards.serving();
        List<CompletionStage<Diagnosis>> replies =
                serving.stream().map(shard -> shard.admin().examine(time)).toList();
        return RedisReplies.all(replies).thenApply(all -> {
            Map<String, Object> facts = new LinkedHashMap<>();
            List<Finding> findings = new ArrayList<>();
            for (int i = 0; i < all.size(); i++) {
                String address = serving.get(i).name();
                Diagnosis diagnosis = all.get(i);
                facts.put(
                        "shard " + address,
                        diagnosis.facts().entrySet().stream()
                                .map(fact -> fact.getKey() + " " + fact.getValue())
                                .collect(Collectors.joining(", ")));
                diagnosis
                        .findings()
                        .forEach(finding -> findings.add(
                                new Finding(finding.severity(), address + ": " + finding.text(), finding.remedy())));
            }
            if (all.isEmpty()) {
                findings.add(Finding.error("no server of the cluster answers", "check whether they run"));
            }
            return new Diagnosis(facts, findings);
        });
    }
}
