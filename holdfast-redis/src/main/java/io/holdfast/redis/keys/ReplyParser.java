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

/** Converts the replies of the scripts and the messages that they publish. */
public final class ReplyParser {

    private ReplyParser() {}

    /** Returns the configuration as it is stored in a marker. */
    public static String text(QuorumConfig config) {
        return config.nodes() + "/" + config.maxLease().toMillis();
    }

    /** Converts the reply of a script that carries out a claim. */
    public static Reply reply(RedisReply reply, QuorumConfig config) {
        if (!(reply instanceof RedisReply.Value)) {
            return failure(reply);
        }
        try {
            return reply(words(reply), config);
        } catch (IllegalArgumentException | ClassCastException | IndexOutOfBoundsException e) {
            return failure(reply);
        }
    }

    /** Converts a reply that the script did not return. */
    public static Reply.Failed failure(RedisReply reply) {
        if (reply instanceof RedisReply.NoReply none) {
            return new Reply.Failed(none.sent(), none.cause());
        } else if (reply instanceof RedisReply.ServerError error) {
            // The scripts write the lock last, so after an error no lock is set.
            return Reply.notSent(ServerErrors.explain(error.message()));
        }
        return Reply.unknown(unexpected(reply));
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
            default -> throw new IllegalArgumentException("unknown kind of reply");
        };
    }

    /** Converts the reply of the script that probes a node. */
    public static NodeStanding standing(RedisReply reply, QuorumConfig config) {
        if (reply instanceof RedisReply.NoReply none) {
            return new NodeStanding.Unknown(none.cause());
        } else if (reply instanceof RedisReply.ServerError error) {
            return new NodeStanding.Unknown(ServerErrors.explain(error.message()));
        }
        try {
            return standing(words(reply), config);
        } catch (IllegalArgumentException | ClassCastException | IndexOutOfBoundsException e) {
            return new NodeStanding.Unknown(unexpected(reply));
        }
    }

    private static NodeStanding standing(List<?> words, QuorumConfig config) {
        return switch (words.get(0).toString()) {
            case "admitted" -> new NodeStanding.Admitted(fence(words, 1));
            case "quarantined" -> new NodeStanding.Quarantined(millis(words), "1".equals(word(words, 2)));
            case "conflict" -> new NodeStanding.Unknown(conflict(words, config));
            default -> throw new IllegalArgumentException("unknown kind of reply");
        };
    }

    /** Converts a message to an inbox. Returns null for a message that no script of Holdfast sends. */
    public static @Nullable WakeUp wakeUp(String message) {
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

    private static List<?> words(RedisReply reply) {
        if (reply instanceof RedisReply.Value value && value.value() instanceof List<?> words && !words.isEmpty()) {
            return words;
        }
        throw new IllegalArgumentException("not a list");
    }

    private static String unexpected(RedisReply reply) {
        return "replied what no script of Holdfast returns: " + reply;
    }

    private static String conflict(List<?> words, QuorumConfig ours) {
        String[] theirs = word(words, 1).split("/", 2);
        String text = theirs.length == 2 ? theirs[0] + " nodes and a maxLease of " + theirs[1] + " ms" : word(words, 1);
        return "other clients of this node use " + text + ", this one uses " + text(ours, "nodes and a maxLease of")
                + "; give all clients the same, or, with all of them stopped, `holdfast admit` with the new nodes";
    }

    private static String text(QuorumConfig config, String between) {
        return config.nodes() + " " + between + " " + config.maxLease().toMillis() + " ms";
    }

    /**
     * Returns the time that the reply to {@code PTTL} states. A key without a time to live was not set by Holdfast and
     * never expires.
     */
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
