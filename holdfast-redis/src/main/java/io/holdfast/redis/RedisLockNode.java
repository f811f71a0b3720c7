package io.holdfast.redis;

import io.holdfast.node.Claim;
import io.holdfast.node.FencingToken;
import io.holdfast.node.LockNode;
import io.holdfast.node.Reply;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletionStage;

/** A vote on one Redis or Valkey master: claims become scripts, answers become replies. Thread-safe. */
public final class RedisLockNode implements LockNode {

    private final RedisPort port;

    /** A node that owns the port: closing the node closes it. */
    public RedisLockNode(RedisPort port) {
        this.port = port;
    }

    @Override
    public String name() {
        return port.name();
    }

    @Override
    public CompletionStage<Reply> ask(Claim claim) {
        return run(claim).thenApply(RedisLockNode::reply);
    }

    private CompletionStage<Answer> run(Claim claim) {
        Keys keys = Keys.of(claim.resource());
        String owner = claim.owner().token();
        String ttlMillis = Long.toString(claim.ttl().toMillis());
        return switch (claim.action()) {
            case ACQUIRE ->
                Script.ACQUIRE.on(port, keys, owner, ttlMillis, claim.fence().toString());
            case EXTEND -> Script.EXTEND.on(port, keys, owner, ttlMillis);
            case RELEASE ->
                Script.RELEASE.on(port, keys, owner, claim.fence().next().toString());
        };
    }

    private static Reply reply(Answer answer) {
        if (answer instanceof Answer.Lost lost) {
            return new Reply.Failed(lost.sent(), lost.cause());
        } else if (answer instanceof Answer.ServerError error) {
            // The scripts write the lock last, so an error says that nothing was taken.
            return Reply.notSent(ServerErrors.explain(error.message()));
        }
        return ((Answer.Value) answer).value() instanceof List<?> words ? reply(words) : senseless(answer);
    }

    private static Reply reply(List<?> words) {
        try {
            if (words.size() == 1 && "granted".equals(words.get(0))) {
                return Reply.GRANTED;
            } else if (words.size() == 3 && "refused".equals(words.get(0)) && words.get(1) instanceof Long millis) {
                return new Reply.Refused(timeLeft(millis), fence(words.get(2)));
            } else if (words.size() == 2 && "stale".equals(words.get(0))) {
                return new Reply.Stale(fence(words.get(1)));
            }
        } catch (IllegalArgumentException e) {
            // Somebody else has written to the key of the fence.
        }
        return senseless(words);
    }

    private static Reply senseless(Object answer) {
        return Reply.unknown("answered what no script of Holdfast says: " + answer);
    }

    /** A key without a time to live was not set by Holdfast; it stays until somebody deletes it. */
    private static Duration timeLeft(long pttl) {
        return pttl < 0 ? Reply.Refused.ENDLESS : Duration.ofMillis(pttl);
    }

    private static FencingToken fence(Object digits) {
        return new FencingToken(Long.parseLong(digits.toString()));
    }

    @Override
    public void close() {
        port.close();
    }
}
