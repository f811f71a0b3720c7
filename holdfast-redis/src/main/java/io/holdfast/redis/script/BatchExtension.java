package io.holdfast.redis.script;

import io.holdfast.node.Claim;
import io.holdfast.node.Reply;
import io.holdfast.redis.client.RedisReply;
import io.holdfast.redis.client.RedisSession;
import io.holdfast.redis.keys.ReplyParser;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.concurrent.CompletionStage;
import org.jspecify.annotations.Nullable;

/**
 * What a server answers to many extensions in one command.
 *
 * @param failure the same for all of them, or null
 * @param confirmed the numbers of the script, one for each extension; nothing if there is a failure
 */
record BatchExtension(@Nullable Reply failure, List<?> confirmed) {

    private static final Long NOT_EXTENDED = 0L;

    /** Asks for them all. */
    static CompletionStage<BatchExtension> of(RedisSession session, List<Claim> claims) {
        List<String> args = new ArrayList<>(2 * claims.size());
        for (Claim claim : claims) {
            args.add(claim.owner().token());
            args.add(Long.toString(claim.ttl().toMillis()));
        }
        List<String> locks = claims.stream().map(Claim::resource).toList();
        return Script.EXTEND_ALL.on(session, locks, args).thenApply(answer -> of(answer, claims.size()));
    }

    private static BatchExtension of(RedisReply answer, int expected) {
        if (answer instanceof RedisReply.ServerError) {
            // Perhaps on account of one of them, which this user may not touch any more: no reason to fail the others.
            return new BatchExtension(null, Collections.nCopies(expected, NOT_EXTENDED));
        }
        if (answer instanceof RedisReply.Value value
                && value.value() instanceof List<?> numbers
                && numbers.size() == expected) {
            return new BatchExtension(null, numbers);
        }
        return new BatchExtension(ReplyParser.failure(answer), List.of());
    }

    /** None of them was asked for, or nobody knows. */
    static BatchExtension none(RedisReply.Lost lost) {
        return new BatchExtension(ReplyParser.failure(lost), List.of());
    }

    /** What the server says to one of them; null: no, and not why. */
    @Nullable
    Reply reply(int index) {
        if (failure != null) {
            return failure;
        }
        return Long.valueOf(1).equals(confirmed.get(index)) ? Reply.GRANTED : null;
    }
}
