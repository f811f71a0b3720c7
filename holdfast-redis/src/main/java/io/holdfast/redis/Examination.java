package io.holdfast.redis;

import io.holdfast.node.Checkup;
import io.holdfast.node.Finding;
import io.holdfast.node.NodeTerms;
import io.holdfast.time.Time;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;

/** Whether one server is fit to vote: its settings, its user's rights and its clock. Changes nothing there. */
final class Examination {

    private final RedisSession session;
    private final NodeTerms terms;
    private final Reception reception;
    private final Time time;
    private final Map<String, String> facts = new LinkedHashMap<>();
    private final List<Finding> findings = new ArrayList<>();

    Examination(RedisSession session, NodeTerms terms, Reception reception, Time time) {
        this.reception = reception;
        this.session = session;
        this.terms = terms;
        this.time = time;
    }

    CompletionStage<Checkup> run() {
        return session.send(List.of("INFO")).thenCompose(answer -> {
            if (answer instanceof Answer.Lost lost) {
                findings.add(Finding.error(lost.cause(), "see whether it runs, and whether the address is right"));
                return CompletableFuture.completedFuture(new Checkup(facts, findings));
            }
            settings(answer);
            return UserRights.of(session, reception.uses())
                    .thenAccept(this::add)
                    .thenCompose(done -> new ClockCheck(session, time).run())
                    .thenAccept(this::add)
                    .thenApply(done -> new Checkup(facts, findings));
        });
    }

    private void settings(Answer answer) {
        if (!(answer instanceof Answer.Value value) || value.value() == null) {
            findings.add(Finding.warning(
                    "its user may not say INFO, so its version, role, memory and persistence cannot be seen",
                    "grant +info"));
            return;
        }
        Map<String, String> info = Introduction.fields(value.value().toString());
        fact("version", info.getOrDefault("valkey_version", info.getOrDefault("redis_version", "?")));
        String server = TestedServers.of(info);
        boolean tested = TestedServers.all().contains(server);
        fact("tested", tested ? "yes, " + server : "no");
        if (!tested) {
            findings.add(Finding.note(
                    server + " is none of the servers with which Holdfast was tested: "
                            + String.join(", ", TestedServers.all()),
                    ""));
        }
        fact("role", info.getOrDefault("role", "?"));
        fact("up for", info.getOrDefault("uptime_in_seconds", "?") + " s");
        fact("replicas", info.getOrDefault("connected_slaves", "0"));
        boolean keeps = "1".equals(info.get("aof_enabled"));
        fact("append-only file", keeps ? "yes" : "no");
        fact("memory policy", info.getOrDefault("maxmemory_policy", "?"));
        String objection = reception.objection(info);
        if (objection != null) {
            findings.add(Finding.error(objection, ""));
        }
        findings.addAll(ServerSettings.findings(info, terms));
    }

    private void fact(String name, String value) {
        facts.put(name, value);
    }

    private void add(Checkup part) {
        facts.putAll(part.facts());
        findings.addAll(part.findings());
    }
}
