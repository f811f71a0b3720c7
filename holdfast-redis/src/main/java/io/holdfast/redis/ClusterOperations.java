package io.holdfast.redis;

import io.holdfast.node.Checkup;
import io.holdfast.node.Claim;
import io.holdfast.node.Finding;
import io.holdfast.node.LockView;
import io.holdfast.node.Operations;
import io.holdfast.node.Told;
import io.holdfast.time.Time;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.function.Function;
import java.util.function.Supplier;

/**
 * An operator's questions to a cluster: about one lock to the shard that keeps it, about all to all of them.
 *
 * @param byResource the shard that keeps it, or one that says why there is none
 * @param shards by address
 */
record ClusterOperations(Function<String, Operations> byResource, Supplier<Map<String, Operations>> shards)
        implements Operations {

    @Override
    public CompletionStage<Told<LockView>> inspect(String resource) {
        return byResource.apply(resource).inspect(resource);
    }

    @Override
    public CompletionStage<Told<Boolean>> evict(String resource) {
        return byResource.apply(resource).evict(resource);
    }

    @Override
    public CompletionStage<Told<Boolean>> annotate(Claim held, String text) {
        return byResource.apply(held.resource()).annotate(held, text);
    }

    @Override
    public CompletionStage<Told<List<String>>> names() {
        return ofAll(Operations::names).thenApply(all -> {
            List<String> names = new ArrayList<>();
            for (Told<List<String>> shard : all.values()) {
                List<String> known = shard.value();
                if (known == null) {
                    return shard;
                }
                names.addAll(known);
            }
            return Told.of(names);
        });
    }

    @Override
    public CompletionStage<Checkup> examine(Time time) {
        return ofAll(shard -> shard.examine(time)).thenApply(all -> {
            Map<String, String> facts = new LinkedHashMap<>();
            List<Finding> findings = new ArrayList<>();
            all.forEach((address, checkup) -> {
                facts.put("shard " + address, String.join(", ", checkup.facts().values()));
                checkup.findings()
                        .forEach(finding -> findings.add(
                                new Finding(finding.weight(), address + ": " + finding.text(), finding.remedy())));
            });
            if (all.isEmpty()) {
                findings.add(Finding.error("no server of the cluster answers", "see whether they run"));
            }
            return new Checkup(facts, findings);
        });
    }

    private <T> CompletionStage<Map<String, T>> ofAll(Function<Operations, CompletionStage<T>> question) {
        Map<String, CompletableFuture<T>> answers = new LinkedHashMap<>();
        shards.get()
                .forEach((address, shard) ->
                        answers.put(address, question.apply(shard).toCompletableFuture()));
        return CompletableFuture.allOf(answers.values().toArray(CompletableFuture<?>[]::new))
                .thenApply(done -> {
                    Map<String, T> all = new LinkedHashMap<>();
                    answers.forEach((address, answer) -> all.put(address, answer.join()));
                    return all;
                });
    }
}
