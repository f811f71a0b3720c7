package io.holdfast.redis.doctor;

import io.holdfast.node.Diagnosis;
import io.holdfast.node.Diagnosis.Finding;
import io.holdfast.node.NodeSettings;
import io.holdfast.redis.client.MissingRight;
import io.holdfast.redis.client.RedisReply;
import io.holdfast.redis.client.RedisSession;
import io.holdfast.redis.client.ServerErrors;
import io.holdfast.redis.connection.HandshakeGate;
import io.holdfast.redis.connection.ServerChecks;
import io.holdfast.redis.connection.ServerInfo;
import io.holdfast.time.Time;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;

/** Diagnoses one server: its settings, its user's permissions and its clock. Changes nothing on it. */
final class NodeDiagnostics {

    private final RedisSession session;
    private final NodeSettings settings;
    private final HandshakeGate gate;
    private final List<String> required;
    private final Time time;
    private final Map<String, Object> facts = new LinkedHashMap<>();
    private final List<Finding> findings = new ArrayList<>();

    NodeDiagnostics(NodeSettings settings, HandshakeGate gate, List<String> required, Time time) {
        this.gate = gate;
        this.session = gate.session();
        this.settings = settings;
        this.required = required;
        this.time = time;
    }

    CompletionStage<Diagnosis> run() {
        return session.send(List.of("INFO")).thenCompose(reply -> {
            if (reply instanceof RedisReply.NoReply none) {
                findings.add(Finding.error(none.cause(), remedy(none.cause())));
                return CompletableFuture.completedFuture(new Diagnosis(facts, findings));
            }
            if (reply instanceof RedisReply.ServerError error && !MissingRight.isCauseOf(error.message())) {
                // A server that is busy or loading replies the same to all other commands, whatever its user may do.
                findings.add(Finding.error(ServerErrors.explain(error.message()), ""));
                return CompletableFuture.completedFuture(new Diagnosis(facts, findings));
            }
            checkSettings(reply);
            return AclCheck.of(session, required)
                    .thenAccept(this::add)
                    .thenCompose(done -> new ClockCheck(session, time).run())
                    .thenAccept(this::add)
                    .thenApply(done -> new Diagnosis(facts, findings));
        });
    }

    /** Most causes end with their remedy. */
    private static String remedy(String cause) {
        return cause.contains("; ") ? "" : "check whether it runs, and whether the address is right";
    }

    private void checkSettings(RedisReply reply) {
        String rejection = gate.rejection(reply);
        if (rejection != null) {
            findings.add(Finding.error(rejection, ""));
        }
        ServerInfo.of(reply).ifPresent(this::describe);
    }

    /** States what the server says about itself. A fact that it leaves out is not there. */
    private void describe(ServerInfo info) {
        info.text("valkey_version").or(() -> info.text("redis_version")).ifPresent(text -> fact("version", text));
        String server = TestedServers.of(info);
        boolean tested = TestedServers.all().contains(server);
        fact("tested", tested);
        if (!tested) {
            findings.add(Finding.note(
                    server + " is not among the servers with which Holdfast was tested: "
                            + String.join(", ", TestedServers.all()),
                    ""));
        }
        info.text("role").ifPresent(role -> fact("role", role));
        info.number("uptime_in_seconds").ifPresent(uptime -> fact("uptimeSeconds", uptime));
        info.number("connected_slaves").ifPresent(count -> fact("replicas", count));
        info.flag("aof_enabled").ifPresent(enabled -> fact("appendOnlyFile", enabled));
        info.text("maxmemory_policy").ifPresent(policy -> fact("memoryPolicy", policy));
        findings.addAll(ServerChecks.findings(info, settings));
    }

    private void fact(String name, Object value) {
        facts.put(name, value);
    }

    private void add(Diagnosis part) {
        facts.putAll(part.facts());
        findings.addAll(part.findings());
    }
}
