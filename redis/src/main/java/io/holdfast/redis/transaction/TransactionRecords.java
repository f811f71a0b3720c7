package io.holdfast.redis.transaction;

import io.holdfast.lease.Owner;
import io.holdfast.record.LockRecord;
import io.holdfast.record.RecordAnswer;
import io.holdfast.record.RecordStore;
import io.holdfast.redis.client.RedisReplies;
import io.holdfast.redis.client.RedisReply;
import io.holdfast.redis.client.RedisSession;
import io.holdfast.redis.connection.HandshakeGate;
import io.holdfast.redis.keys.Keys;
import io.holdfast.redis.keys.RecordFormat;
import io.holdfast.redis.keys.ReplyParser;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.TimeUnit;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * The records of a node on a server that runs no scripts. A write watches the key, so that it replaces no newer
 * record. Such a node has no quarantine, so it counts as one that remembers all records.
 *
 * @param gate identifies the server of each connection
 * @param transactions runs the transactions of the node one after another
 */
record TransactionRecords(HandshakeGate gate, Transactions transactions) implements RecordStore {

    @Override
    public CompletionStage<RecordAnswer> read(String resource) {
        return run(session -> all(session, List.of(List.of("MGET", key(resource))))
                .thenApply(replies -> new RecordAnswer(stored(replies.get(0)), LockRecord.ALWAYS)));
    }

    @Override
    public CompletionStage<Boolean> write(String resource, Owner owner, LockRecord record, Duration keep) {
        String key = key(resource);
        List<List<String>> reads = List.of(List.of("WATCH", key), List.of("MGET", key), List.of("TIME"));
        List<String> write = List.of("SET", key, RecordFormat.stored(record), "PX", Long.toString(keep.toMillis()));
        return run(session -> all(session, reads)
                .thenCompose(read -> stored(read.get(1)).isNewerThan(record)
                        ? all(session, List.of(List.of("UNWATCH"))).thenApply(done -> false)
                        : replace(session, written(write, resource, millis(read.get(2)), keep))));
    }

    /** Adds the commands that list the lock among those with a record, and remove those whose records have ended. */
    private static List<List<String>> written(List<String> write, String resource, long now, Duration keep) {
        return List.of(
                write,
                List.of("ZREMRANGEBYSCORE", Keys.RECORDS, "-inf", Long.toString(now)),
                List.of("ZADD", Keys.RECORDS, Long.toString(now + keep.toMillis()), resource));
    }

    private static long millis(RedisReply time) {
        long micros = RedisReplies.micros(time);
        if (micros == 0) {
            throw new IllegalStateException(ReplyParser.failure(time).cause());
        }
        return TimeUnit.MICROSECONDS.toMillis(micros);
    }

    /**
     * Stores the note of a holder, if it holds the lock. With time stamps, the owner is beside the lock.
     *
     * @param args the owner, the note or an empty text to delete it, and its time to live
     * @return a stage of the number 1 if the owner holds the lock, else 0
     */
    CompletionStage<RedisReply> storeNote(Keys keys, List<String> args) {
        List<List<String>> reads =
                List.of(List.of("WATCH", keys.lock(), keys.owner()), List.of("MGET", keys.lock(), keys.owner()));
        List<String> write = args.get(1).isEmpty()
                ? List.of("DEL", keys.note())
                : List.of("SET", keys.note(), args.get(1), "PX", args.get(2));
        return run(session -> all(session, reads)
                        .thenCompose(read -> isHolder(args.get(0), RedisReplies.list(read.get(1)))
                                ? replace(session, List.of(write))
                                : all(session, List.of(List.of("UNWATCH"))).thenApply(done -> false)))
                .thenApply(stored -> new RedisReply.Value(stored ? 1L : 0L));
    }

    /** Returns whether the values of the lock and of the owner key are those that this owner has written. */
    private static boolean isHolder(String owner, List<?> stored) {
        return stored.size() == 2
                && (owner.equals(stored.get(0)) || (stored.get(0) + " " + owner).equals(stored.get(1)));
    }

    /**
     * Writes unless another client has changed the key. If MULTI were rejected, the write would be carried out at once.
     */
    private static CompletionStage<Boolean> replace(RedisSession session, List<List<String>> writes) {
        List<List<String>> commands = new ArrayList<>(writes);
        commands.add(List.of("EXEC"));
        return all(session, List.of(List.of("MULTI")))
                .thenCompose(begun -> all(session, commands))
                .thenApply(done -> !done.get(writes.size()).equals(new RedisReply.Value(null)));
    }

    private <T> CompletionStage<T> run(Function<RedisSession, CompletionStage<T>> task) {
        return transactions
                .<CompletionStage<T>>begin(() -> identified(task), () -> failed(Transactions.TOO_MANY))
                .thenCompose(result -> result);
    }

    private <T> CompletionStage<CompletionStage<T>> identified(Function<RedisSession, CompletionStage<T>> task) {
        return gate.whenIdentified(
                (server, runId) -> transactions
                        .run(server.session(), () -> task.apply(server.session()))
                        .thenApply(CompletableFuture::completedStage),
                none -> failed(none.cause()));
    }

    private static <T> CompletionStage<T> failed(String cause) {
        return CompletableFuture.failedStage(new IllegalStateException(cause));
    }

    /** Sends the commands. The stage fails with the first failure. */
    private static CompletionStage<List<RedisReply>> all(RedisSession session, List<List<String>> commands) {
        List<CompletionStage<RedisReply>> replies = new ArrayList<>();
        commands.forEach(command -> replies.add(session.send(command)));
        return RedisReplies.all(replies).thenApply(all -> {
            RedisReply failure = RedisReplies.firstFailure(all);
            if (failure != null) {
                throw new IllegalStateException(ReplyParser.failure(failure).cause());
            }
            return all;
        });
    }

    private static LockRecord stored(RedisReply reply) {
        List<?> values = RedisReplies.list(reply);
        if (values.size() != 1 || !(values.get(0) == null || values.get(0) instanceof String)) {
            throw new IllegalStateException(ReplyParser.failure(reply).cause());
        }
        return RecordFormat.record((@Nullable String) values.get(0));
    }

    private static String key(String resource) {
        return Keys.of(resource).record();
    }
}
