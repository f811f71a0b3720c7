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

/** The administration of one server. Uses no scripts, so that users without permission for scripts can use it. */
public final class RedisNodeAdmin implements NodeAdmin {

    /** The time to live of a note, far longer than it is needed; the next holder overwrites it. */
    private static final String NOTE_MILLIS = Long.toString(Duration.ofDays(7).toMillis());

    private static final String FENCE_KEYS = "*:holdfast:fence";
    private static final String SCAN_STEP = "500";

    private final NodeConnection connection;
    private final NodeSettings settings;
    private final HandshakeGate gate;

    /** Creates the administration of the server of this connection. */
    public RedisNodeAdmin(NodeConnection connection, NodeSettings settings, HandshakeGate gate) {
        this.gate = gate;
        this.connection = connection;
        this.settings = settings;
    }

    @Override
    public CompletionStage<NodeLockStatus> inspect(String resource) {
        RedisSession session = connection.session();
        Keys keys = Keys.of(resource);
        List<CompletionStage<RedisReply>> replies = List.of(
                session.send(List.of("MGET", keys.lock(), keys.fence(), keys.note())),
                session.send(List.of("PTTL", keys.lock())),
                session.send(List.of("ZRANGE", keys.queue(), "0", "-1")),
                session.send(List.of("ZRANGE", keys.sharedHolders(), "0", "-1")));
        return convert(
                replies,
                all -> view(
                        RedisReplies.list(all.get(0)),
                        RedisReplies.number(all.get(1)),
                        RedisReplies.list(all.get(2)).size(),
                        RedisReplies.list(all.get(3)).size()));
    }

    private static NodeLockStatus view(List<?> values, long pttl, int waiting, int sharedHolders) {
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
                shared ? sharedHolders : 0,
                ReplyParser.timeLeft(pttl),
                fence,
                waiting,
                note.startsWith(holder + " ") ? note.substring(holder.length() + 1) : "");
    }

    @Override
    public CompletionStage<List<String>> names() {
        return scan(connection.session(), "0", new ArrayList<>());
    }

    private static CompletionStage<List<String>> scan(RedisSession session, String cursor, List<String> found) {
        return session.send(List.of("SCAN", cursor, "MATCH", FENCE_KEYS, "COUNT", SCAN_STEP))
                .thenCompose(reply -> {
                    List<?> page = RedisReplies.list(reply);
                    if (page.size() != 2 || !(page.get(1) instanceof List<?> keys)) {
                        return CompletableFuture.failedFuture(new IllegalStateException(reason(reply, "+scan")));
                    }
                    keys.forEach(key -> found.add(Keys.resource(key.toString())));
                    String next = String.valueOf(page.get(0));
                    return next.equals("0") ? CompletableFuture.completedFuture(found) : scan(session, next, found);
                });
    }

    @Override
    public CompletionStage<Boolean> evict(String resource) {
        Keys keys = Keys.of(resource);
        return convert(
                List.of(connection.session().send(List.of("DEL", keys.lock(), keys.sharedHolders(), keys.owner()))),
                all -> RedisReplies.number(all.get(0)) > 0);
    }

    @Override
    public CompletionStage<Boolean> annotate(Claim held, String text) {
        String key = Keys.of(held.resource()).note();
        String holder =
                held.isShared() ? "shared" : OwnerFingerprint.of(held.owner().token());
        List<String> command =
                text.isEmpty() ? List.of("DEL", key) : List.of("SET", key, holder + " " + text, "PX", NOTE_MILLIS);
        return convert(List.of(connection.session().send(command)), all -> true);
    }

    @Override
    public CompletionStage<Diagnosis> examine(Time time) {
        return new NodeDiagnostics(connection.session(), settings, gate, time).run();
    }

    private static <T> CompletionStage<T> convert(
            List<CompletionStage<RedisReply>> replies, Function<List<RedisReply>, T> converter) {
        return RedisReplies.all(replies).thenApply(all -> {
            RedisReply failure = RedisReplies.firstFailure(all);
            if (failure != null) {
                throw new IllegalStateException(reason(failure, "the rights of a client"));
            }
            return converter.apply(all);
        });
    }

    private static String reason(RedisReply reply, String permission) {
        return reply instanceof RedisReply.ServerError error && error.message().startsWith("NOPERM")
                ? "the user may not do this; grant it " + permission
                : ReplyParser.failure(reply).cause();
    }
}
