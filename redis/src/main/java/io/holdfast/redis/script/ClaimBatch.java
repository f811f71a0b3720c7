package io.holdfast.redis.script;

import io.holdfast.node.Claim;
import io.holdfast.redis.client.MissingRight;
import io.holdfast.redis.client.RedisReply;
import io.holdfast.redis.client.RedisSession;
import io.holdfast.redis.connection.RunId;
import io.holdfast.redis.keys.Keys;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletionStage;
import java.util.function.Function;
import java.util.function.IntFunction;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/** The claims of one command: a single claim by its own script, several by {@link Script#CLAIM_ALL}. */
final class ClaimBatch {

    /** The reply to a claim that has to be sent by itself: the server refused the whole command. */
    static final RedisReply ALONE = new RedisReply.NoReply(false, "refused in a batch");

    private static final String FAILED = "failed";

    private final Function<Claim, Script.Call> single;
    private final Function<String, Keys> keysOf;
    private final List<String> common;
    /** The number of claims that were written; 0 until then. */
    private volatile int size;

    /**
     * Creates a batch without claims.
     *
     * @param single returns the call for a single claim
     * @param keysOf returns the keys of a resource
     */
    ClaimBatch(Function<Claim, Script.Call> single, Function<String, Keys> keysOf, RunId runId, String config) {
        this.single = single;
        this.keysOf = keysOf;
        this.common = List.of(runId.onWire(), config);
    }

    /** Sends the claims, and returns the reply to each by its index. */
    CompletionStage<IntFunction<RedisReply>> send(RedisSession session, Supplier<List<Claim>> claims) {
        return Script.run(session, () -> call(claims.get())).thenApply(this::replies);
    }

    private Script.Call call(List<Claim> claims) {
        size = claims.size();
        return size == 1 ? single.apply(claims.get(0)) : callOfAll(claims);
    }

    private Script.Call callOfAll(List<Claim> claims) {
        List<String> keys = new ArrayList<>(1 + 6 * claims.size());
        List<String> args = new ArrayList<>(2 + 5 * claims.size());
        args.addAll(common);
        for (Claim claim : claims) {
            Keys all = keysOf.apply(claim.resource());
            if (keys.isEmpty()) {
                keys.add(all.marker());
            }
            keys.addAll(all.forBatch());
            args.add(action(claim));
            args.add(claim.owner().token());
            args.add(Long.toString(claim.ttl().toMillis()));
            args.add(claim.fence().toString());
            args.add(claim.greatestFence().toString());
        }
        return new Script.Call(Script.CLAIM_ALL, keys, args);
    }

    private static String action(Claim claim) {
        return claim.action() == Claim.Action.ACQUIRE ? "acquire" : claim.servesNext() ? "release" : "withdraw";
    }

    private IntFunction<RedisReply> replies(RedisReply reply) {
        if (size < 2) {
            return index -> reply;
        } else if (reply instanceof RedisReply.ServerError error && MissingRight.isCauseOf(error.message())) {
            // The user may lack permission for one key only. That must not fail the other claims.
            return index -> ALONE;
        }
        return reply instanceof RedisReply.Value value && value.value() instanceof List<?> all && all.size() == size
                ? index -> reply(all.get(index))
                : index -> reply;
    }

    private static RedisReply reply(@Nullable Object one) {
        return one instanceof List<?> words && words.size() == 2 && FAILED.equals(words.get(0))
                ? new RedisReply.ServerError(String.valueOf(words.get(1)))
                : new RedisReply.Value(one);
    }
}
