package io.holdfast.redis.keys;

import io.holdfast.lease.FencingToken;
import io.holdfast.node.NodeStanding;
import io.holdfast.node.QuorumConfig;
import io.holdfast.node.Reply;
import io.holdfast.node.WakeUp;
import io.holdfast.redis.client.RedisReply;
import io.holdfast.redis.client.ServerErrors;
import java.time.Duration;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** From what the scripts return to what it means. */
public final class ReplyParser {

    private ReplyParser() {}

    /** How a fleet is written in a marker. */
    public static String text(QuorumConfig config) {
        return config.nodes() + "/" + config.maxLease().toMillis();
    }

    public static Reply reply(RedisReply answer, QuorumConfig config) {
        if (!(answer instanceof RedisReply.Value)) {
            return failure(answer);
        }
        try {
            return reply(words(answer), config);
        } catch (IllegalArgumentException | ClassCastException | IndexOutOfBoundsException e) {
            return failure(answer);
        }
    }

    /** What an answer means that is not that of the script. */
    public static Reply.Failed failure(RedisReply answer) {
        if (answer instanceof RedisReply.Lost lost) {
            return new Reply.Failed(lost.sent(), lost.cause());
        } else if (answer instanceof RedisReply.ServerError error) {
            // The scripts write the lock last, so an error says that nothing was taken.
            return Reply.notSent(ServerErrors.explain(error.message()));
        }
        return Reply.unknown(senseless(answer));
    }

    private static Reply reply(List<?> words, QuorumConfig config) {
        return switch (words.get(0).toString()) {
            case "granted" -> Reply.GRANTED;
            case "refused" ->
                new Reply.Refused(
                        timeLeft((Long) words.get(1)),
                        fence(words, 2),
                        words.size() > 3 ? Long.parseLong(word(words, 3)) : 0,
                        words.size() > 4 ? word(words, 4) : "");
            case "stale" -> new Reply.Stale(fence(words, 1));
            case "ahead" -> new Reply.Ahead(fence(words, 1));
            case "quarantined" -> new Reply.Quarantined(config.quarantine().minus(millis(words)));
            case "conflict" -> Reply.notSent(conflict(words, config));
            default -> throw new IllegalArgumentException("no reply begins so");
        };
    }

    public static NodeStanding standing(RedisReply answer, QuorumConfig config) {
        if (answer instanceof RedisReply.Lost lost) {
            return new NodeStanding.Unknown(lost.cause());
        } else if (answer instanceof RedisReply.ServerError error) {
            return new NodeStanding.Unknown(ServerErrors.explain(error.message()));
        }
        try {
            return standing(words(answer), config);
        } catch (IllegalArgumentException | ClassCastException | IndexOutOfBoundsException e) {
            return new NodeStanding.Unknown(senseless(answer));
        }
    }

    private static NodeStanding standing(List<?> words, QuorumConfig config) {
        return switch (words.get(0).toString()) {
            case "admitted" -> new NodeStanding.Admitted(fence(words, 1));
            case "quarantined" -> new NodeStanding.Quarantined(millis(words), "1".equals(word(words, 2)));
            case "conflict" -> new NodeStanding.Unknown(conflict(words, config));
            default -> throw new IllegalArgumentException("no reply begins so");
        };
    }

    /** What a message says that came to an inbox; null: nothing that a script of Holdfast would send. */
    public static @Nullable WakeUp wake(String message) {
        String[] words = message.split(" ", 3);
        try {
            return words.length < 3
                    ? null
                    : new WakeUp(
                            words[2],
                            Duration.ofMillis(Long.parseLong(words[0])),
                            new FencingToken(Long.parseLong(words[1])));
        } catch (IllegalArgumentException e) {
            return null;
        }
    }

    private static List<?> words(RedisReply answer) {
        if (answer instanceof RedisReply.Value value && value.value() instanceof List<?> words && !words.isEmpty()) {
            return words;
        }
        throw new IllegalArgumentException("not a list");
    }

    private static String senseless(RedisReply answer) {
        return "answered what no script of Holdfast says: " + answer;
    }

    private static String conflict(List<?> words, QuorumConfig ours) {
        String[] theirs = word(words, 1).split("/", 2);
        String text = theirs.length == 2 ? theirs[0] + " nodes and a maxLease of " + theirs[1] + " ms" : word(words, 1);
        return "other clients of this node go by " + text + ", this one by " + text(ours, "nodes and a maxLease of")
                + "; give all clients the same, or, with all of them stopped, `holdfast admit` with the new nodes";
    }

    private static String text(QuorumConfig config, String between) {
        return config.nodes() + " " + between + " " + config.maxLease().toMillis() + " ms";
    }

    /** A key without a time to live was not set by Holdfast; it stays until somebody deletes it. */
    public static Duration timeLeft(long pttl) {
        return pttl < 0 ? Reply.Refused.ENDLESS : Duration.ofMillis(pttl);
    }

    private static Duration millis(List<?> words) {
        return Duration.ofMillis(Long.parseLong(word(words, 1)));
    }

    private static FencingToken fence(List<?> words, int index) {
        return new FencingToken(Long.parseLong(word(words, index)));
    }

    private static String word(List<?> words, int index) {
        return String.valueOf(words.get(index));
    }
}
