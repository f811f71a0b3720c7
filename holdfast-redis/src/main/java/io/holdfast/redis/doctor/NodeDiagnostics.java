package io.holdfast.redis.doctor;

import io.holdfast.node.Diagnosis;
import io.holdfast.node.Finding;
import io.holdfast.node.NodeSettings;
import io.holdfast.redis.client.RedisReply;
import io.holdfast.redis.client.RedisSession;
import io.holdfast.redis.connection.HandshakeGate;
import io.holdfast.redis.connection.ServerChecks;
import io.holdfast.redis.connection.ServerIdentity;
import io.holdfast.time.Time;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;

/** Whether one server is fit to vote: its settings, its user's rights and its clock. Changes nothing there. */
final class NodeDiagnostics {

    private final RedisSession session;
    private final NodeSettings settings;
    private final HandshakeGate gate;
    private final Time time;
    private final Map<String, String> facts = new LinkedHashMap<>();
    private final List<Finding> findings = new ArrayList<>();

    NodeDiagnostics(RedisSession session, NodeSettings settings, HandshakeGate gate, Time time) {
        this.gate = gate;
        this.session = session;
        this.settings = settings;
        this.time = time;
    }

    CompletionStage<Diagnosis> run() {
        return session.send(List.of("INFO")).thenCompose(answer -> {
            if (answer instanceof RedisReply.Lost lost) {
                findings.add(Finding.error(lost.cause(), "see whether it runs, and whether the address is right"));
                return CompletableFuture.completedFuture(new Diagnosis(facts, findings));
            }
            settings(answer);
            return AclCheck.of(session, gate.uses())
                    .thenAccept(this::add)
                    .thenCompose(done -> new ClockCheck(session, time).run())
                    .thenAccept(this::add)
                    .thenApply(done -> new Diagnosis(facts, findings));
        });
    }

    private void settings(RedisReply answer) {
        if (!(answer instanceof RedisReply.Value value) || value.value() == null) {
            findings.add(Finding.warning(
                    "its user may not say INFO, so its version, role, memory and persistence cannot be seen",
                    "grant +info"));
            return;
        }
        Map<String, String> info = ServerIdentity.fields(value.value().toString());
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
        String objection = gate.objection(info);
        if (objection != null) {
            findings.add(Finding.error(objection, ""));
        }
        findings.addAll(ServerChecks.findings(info, settings));
    }

    private void fact(String name, String value) {
        facts.put(name, value);
    }

    private void add(Diagnosis part) {
        facts.putAll(part.facts());
        findings.addAll(part.findings());
    }
}
