package io.holdfast.redis.doctor;

import io.holdfast.node.Diagnosis;
import io.holdfast.node.Finding;
import io.holdfast.node.NodeSettings;
import io.holdfast.redis.client.MissingRight;
import io.holdfast.redis.client.RedisReply;
import io.holdfast.redis.client.RedisSession;
import io.holdfast.redis.client.ServerErrors;
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
import java.util.regex.Pattern;

/** Diagnoses one server: its settings, its user's permissions and its clock. Changes nothing on it. */
final class NodeDiagnostics {

    private static final Pattern NUMBER = Pattern.compile("\\d{1,18}");

    private final RedisSession session;
    private final NodeSettings settings;
    private final HandshakeGate gate;
    private final Time time;
    private final Map<String, Object> facts = new LinkedHashMap<>();
    private final List<Finding> findings = new ArrayList<>();

    NodeDiagnostics(RedisSession session, NodeSettings settings, HandshakeGate gate, Time time) {
        this.gate = gate;
        this.session = session;
        this.settings = settings;
        this.time = time;
    }

    CompletionStage<Diagnosis> run() {
        return session.send(List.of("INFO")).thenCompose(reply -> {
            if (reply instanceof RedisReply.NoReply none) {
                findings.add(Finding.error(none.cause(), ConnectRemedies.of(none.cause())));
                return CompletableFuture.completedFuture(new Diagnosis(facts, findings));
            }
            if (reply instanceof RedisReply.ServerError error && !MissingRight.isCauseOf(error.message())) {
                // A server that is busy or loading replies the same to all other commands, whatever its user may do.
                findings.add(Finding.error(ServerErrors.explain(error.message()), ""));
                return CompletableFuture.completedFuture(new Diagnosis(facts, findings));
            }
            checkSettings(reply);
            return AclCheck.of(session, gate.requiredCommands())
                    .thenAccept(this::add)
                    .thenCompose(done -> new ClockCheck(session, time).run())
                    .thenAccept(this::add)
                    .thenApply(done -> new Diagnosis(facts, findings));
        });
    }

    private void checkSettings(RedisReply reply) {
        if (!(reply instanceof RedisReply.Value value) || value.value() == null) {
            findings.add(Finding.warning(
                    "its user may not call INFO, so its version, role, memory and persistence cannot be seen",
                    "grant +info"));
            return;
        }
        Map<String, String> info = ServerIdentity.fields(value.value().toString());
        fact("version", info.getOrDefault("valkey_version", info.getOrDefault("redis_version", "?")));
        String server = TestedServers.of(info);
        boolean tested = TestedServers.all().contains(server);
        fact("tested", tested);
        if (!tested) {
            findings.add(Finding.note(
                    server + " is not among the servers with which Holdfast was tested: "
                            + String.join(", ", TestedServers.all()),
                    ""));
        }
        fact("role", info.getOrDefault("role", "?"));
        fact("uptimeSeconds", number(info, "uptime_in_seconds"));
        fact("replicas", number(info, "connected_slaves"));
        fact("appendOnlyFile", "1".equals(info.get("aof_enabled")));
        fact("memoryPolicy", info.getOrDefault("maxmemory_policy", "?"));
        String rejection = gate.rejection(info);
        if (rejection != null) {
            findings.add(Finding.error(rejection, ""));
        }
        findings.addAll(ServerChecks.findings(info, settings));
    }

    private static long number(Map<String, String> info, String field) {
        String value = info.getOrDefault(field, "");
        return NUMBER.matcher(value).matches() ? Long.parseLong(value) : 0;
    }

    private void fact(String name, Object value) {
        facts.put(name, value);
    }

    private void add(Diagnosis part) {
        facts.putAll(part.facts());
        findings.addAll(part.findings());
    }
}
