package io.holdfast.redis.doctor;

import io.holdfast.lease.FencingToken;
import io.holdfast.node.Claim;
import io.holdfast.node.Diagnosis;
import io.holdfast.node.NodeAdmin;
import io.holdfast.node.NodeLockStatus;
import io.holdfast.node.NodeSettings;
import io.holdfast.redis.client.NodeConnection;
import io.holdfast.redis.client.RedisReplies;
import io.holdfast.redis.client.RedisReply;
import io.holdfast.redis.client.RedisSession;
import io.holdfast.redis.connection.HandshakeGate;
import io.holdfast.redis.keys.Keys;
import io.holdfast.redis.keys.OwnerFingerprint;
import io.holdfast.redis.keys.ReplyParser;
import io.holdfast.time.Time;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/** An operator's questions to one server, in commands that every server has: whoever may not run scripts is answered too. */
public final class RedisNodeAdmin implements NodeAdmin {

    /** Longer than anybody wants to know who held a lock; the next holder overwrites it. */
    private static final String NOTE_MILLIS = Long.toString(Duration.ofDays(7).toMillis());

    private static final String NAMES = "*:holdfast:fence";
    private static final String SCAN_STEP = "500";

    private final NodeConnection port;
    private final NodeSettings settings;
    private final HandshakeGate gate;

    public RedisNodeAdmin(NodeConnection port, NodeSettings settings, HandshakeGate gate) {
        this.gate = gate;
        this.port = port;
        this.settings = settings;
    }

    @Override
    public CompletionStage<NodeLockStatus> inspect(String resource) {
        RedisSession session = port.session();
        Keys keys = Keys.of(resource);
        List<CompletionStage<RedisReply>> answers = List.of(
                session.send(List.of("MGET", keys.lock(), keys.fence(), keys.note())),
                session.send(List.of("PTTL", keys.lock())),
                session.send(List.of("ZRANGE", keys.line(), "0", "-1")),
                session.send(List.of("ZRANGE", keys.shares(), "0", "-1")));
        return answer(
                answers,
                all -> view(
                        RedisReplies.list(all.get(0)),
                        RedisReplies.number(all.get(1)),
                        RedisReplies.list(all.get(2)).size(),
                        RedisReplies.list(all.get(3)).size()));
    }

    private static NodeLockStatus view(List<?> values, long pttl, int waiting, int shares) {
        @Nullable Object owner = values.get(0);
        FencingToken fence = values.get(1) == null
                ? FencingToken.NONE
                : new FencingToken(Long.parseLong(values.get(1).toString()));
        if (owner == null) {
            return new NodeLockStatus("", 0, Duration.ZERO, fence, waiting, "");
        }
        boolean shared = Keys.SHARED.equals(owner);
        String holder = shared ? "shared" : OwnerFingerprint.of(owner.toString());
        String note = String.valueOf(values.get(2));
        return new NodeLockStatus(
                holder,
                shared ? shares : 0,
                ReplyParser.timeLeft(pttl),
                fence,
                waiting,
                note.startsWith(holder + " ") ? note.substring(holder.length() + 1) : "");
    }

    @Override
    public CompletionStage<List<String>> names() {
        return scan(port.session(), "0", new ArrayList<>());
    }

    private static CompletionStage<List<String>> scan(RedisSession session, String cursor, List<String> found) {
        return session.send(List.of("SCAN", cursor, "MATCH", NAMES, "COUNT", SCAN_STEP))
                .thenCompose(answer -> {
                    List<?> page = RedisReplies.list(answer);
                    if (page.size() != 2 || !(page.get(1) instanceof List<?> keys)) {
                        return CompletableFuture.failedFuture(new IllegalStateException(reason(answer, "+scan")));
                    }
                    keys.forEach(key -> found.add(Keys.resource(key.toString())));
                    String next = String.valueOf(page.get(0));
                    return next.equals("0") ? CompletableFuture.completedFuture(found) : scan(session, next, found);
                });
    }

    @Override
    public CompletionStage<Boolean> evict(String resource) {
        Keys keys = Keys.of(resource);
        return answer(
                List.of(port.session().send(List.of("DEL", keys.lock(), keys.shares(), keys.beside()))),
                all -> RedisReplies.number(all.get(0)) > 0);
    }

    @Override
    public CompletionStage<Boolean> annotate(Claim held, String text) {
        String key = Keys.of(held.resource()).note();
        String holder =
                held.isShared() ? "shared" : OwnerFingerprint.of(held.owner().token());
        List<String> command =
                text.isEmpty() ? List.of("DEL", key) : List.of("SET", key, holder + " " + text, "PX", NOTE_MILLIS);
        return answer(List.of(port.session().send(command)), all -> true);
    }

    @Override
    public CompletionStage<Diagnosis> examine(Time time) {
        return new NodeDiagnostics(port.session(), settings, gate, time).run();
    }

    private static <T> CompletionStage<T> answer(
            List<CompletionStage<RedisReply>> answers, Function<List<RedisReply>, T> meaning) {
        return RedisReplies.all(answers).thenApply(all -> {
            RedisReply failure = RedisReplies.firstFailure(all);
            if (failure != null) {
                throw new IllegalStateException(reason(failure, "the rights of a client"));
            }
            return meaning.apply(all);
        });
    }

    private static String reason(RedisReply answer, String right) {
        return answer instanceof RedisReply.ServerError error && error.message().startsWith("NOPERM")
                ? "the user may not ask this; grant it " + right
                : ReplyParser.failure(answer).cause();
    }
}
