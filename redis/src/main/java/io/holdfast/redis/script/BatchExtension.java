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
 * The reply to several extensions that were sent in one command.
 *
 * @param failure the failure of the whole command, or null
 * @param confirmed the numbers that the script returned, one for each extension; empty after a failure
 */
record BatchExtension(@Nullable Reply failure, List<?> confirmed) {

    private static final Long NOT_EXTENDED = 0L;

    /** Sends the extensions in one command. */
    static CompletionStage<BatchExtension> send(RedisSession session, List<Claim> claims) {
        List<String> args = new ArrayList<>(2 * claims.size());
        for (Claim claim : claims) {
            args.add(claim.owner().token());
            args.add(Long.toString(claim.ttl().toMillis()));
        }
        List<String> locks = claims.stream().map(Claim::resource).toList();
        return Script.EXTEND_ALL.on(session, locks, args).thenApply(reply -> of(reply, claims.size()));
    }

    private static BatchExtension of(RedisReply reply, int expected) {
        if (reply instanceof RedisReply.ServerError) {
            // The user may lack permission for one key only. That must not fail the other extensions.
            return new BatchExtension(null, Collections.nCopies(expected, NOT_EXTENDED));
        }
        if (reply instanceof RedisReply.Value value
                && value.value() instanceof List<?> numbers
                && numbers.size() == expected) {
            return new BatchExtension(null, numbers);
        }
        return new BatchExtension(ReplyParser.failure(reply), List.of());
    }

    /** Returns the failure of extensions that were not sent, or whose outcome is unknown. */
    static BatchExtension failed(RedisReply.NoReply none) {
        return new BatchExtension(ReplyParser.failure(none), List.of());
    }

    /** Returns the reply to one extension, or null if it was refused; the reason is not known then. */
    @Nullable
    Reply reply(int index) {
        if (failure != null) {
            return failure;
        }
        return Long.valueOf(1).equals(confirmed.get(index)) ? Reply.GRANTED : null;
    }
}
