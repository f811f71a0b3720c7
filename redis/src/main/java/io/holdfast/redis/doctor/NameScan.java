package io.holdfast.redis.doctor;

import io.holdfast.redis.client.RedisReplies;
import io.holdfast.redis.client.RedisReply;
import io.holdfast.redis.client.RedisSession;
import io.holdfast.redis.keys.Keys;
import io.holdfast.redis.keys.ReplyParser;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.function.Predicate;

/** One scan of the keys of a server for the names of its locks. Requests the next page when the receiver wants it. */
final class NameScan {

    private static final String FENCE_KEYS = "*:holdfast:fence";
    private static final String SCAN_STEP = "2000";
    /** The most pages of a list, enough for a hundred million keys; a hostile server would send pages without end. */
    private static final int MOST_PAGES = 50_000;

    private static final int MOST_NAMES = 500_000;

    private final RedisSession session;
    private final Predicate<List<String>> receiver;
    private final CompletableFuture<Boolean> done = new CompletableFuture<>();
    private int pages;
    private int names;

    /** Creates a scan whose receiver returns {@code false} to end it. */
    NameScan(RedisSession session, Predicate<List<String>> receiver) {
        this.session = session;
        this.receiver = receiver;
    }

    /** Starts the scan. The result is {@code true} if it has reached the end of the keys. */
    CompletionStage<Boolean> run() {
        request("0");
        return done;
    }

    private void request(String cursor) {
        if (pages == MOST_PAGES || names > MOST_NAMES) {
            done.completeExceptionally(
                    new IllegalStateException("its list of locks does not end; ask for single locks by their names"));
            return;
        }
        pages++;
        session.send(List.of("SCAN", cursor, "MATCH", FENCE_KEYS, "COUNT", SCAN_STEP))
                .thenAccept(this::receive)
                .exceptionally(failure -> {
                    done.completeExceptionally(failure);
                    return null;
                });
    }

    private void receive(RedisReply reply) {
        List<?> page = RedisReplies.list(reply);
        if (page.size() != 2 || !(page.get(1) instanceof List<?> keys)) {
            done.completeExceptionally(
                    new IllegalStateException(ReplyParser.failure(reply).cause()));
            return;
        }
        List<String> found = keys.stream()
                .flatMap(key -> Keys.lockName(String.valueOf(key)).stream())
                .toList();
        names += found.size();
        String next = String.valueOf(page.get(0));
        if (!receiver.test(found)) {
            done.complete(false);
        } else if (next.equals("0")) {
            done.complete(true);
        } else {
            request(next);
        }
    }
}
