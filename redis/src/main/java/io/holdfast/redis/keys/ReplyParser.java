package io.holdfast.redis.keys;

import io.holdfast.lease.FencingToken;
import io.holdfast.node.NodeAdmin;
import io.holdfast.node.NodeStanding;
import io.holdfast.node.QuorumConfig;
import io.holdfast.node.Reply;
import io.holdfast.node.WakeUp;
import io.holdfast.redis.client.MissingRight;
import io.holdfast.redis.client.RedisReply;
import io.holdfast.redis.client.ServerErrors;
import io.holdfast.redis.client.ServerText;
import java.time.Duration;
import java.util.List;
import java.util.function.Supplier;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/** Converts the replies of the scripts and the messages that they publish. */
public final class ReplyParser {

    /** The beginning of a message that grants a standing claim, before the mark of its owner. */
    public static final String GRANTED_PREFIX = "granted:";
    /** A configuration in a marker: the number of nodes and the longest lease, and perhaps those of another set. */
    private static final Pattern CONFIG = Pattern.compile("(\\d{1,9})/(\\d{1,15})(?:\\+(\\d{1,9})/(\\d{1,15}))?");

    private ReplyParser() {}

    /** Returns the configuration as it is stored in a marker. */
    public static String text(QuorumConfig config) {
        QuorumConfig other = config.other();
        String own = config.nodes() + "/" + config.maxLease().toMillis();
        return other == null ? own : own + "+" + text(other);
    }

    /** Converts the reply of a script that carries out a claim on these keys. */
    public static Reply reply(RedisReply reply, Supplier<Keys> keys, QuorumConfig config) {
        if (reply instanceof RedisReply.ServerError error && MissingRight.isCauseOf(error.message())) {
            return Reply.unfit(MissingRight.explain(error.message(), keys.get().rights()));
        } else if (!(reply instanceof RedisReply.Value)) {
            return failure(reply);
        }
        try {
            return reply(words(reply), config);
        } catch (IllegalArgumentException | IndexOutOfBoundsException e) {
            return failure(reply);
        }
    }

    /** Converts a reply that the script did not return. */
    public static Reply.Failed failure(RedisReply reply) {
        if (reply instanceof RedisReply.NoReply none) {
            return new Reply.Failed(none.sent(), none.cause(), none.lasting());
        } else if (reply instanceof RedisReply.ServerError error) {
            // The scripts write the lock last, so after an error no lock is set.
            return new Reply.Failed(
                    false, ServerErrors.explain(error.message()), ServerErrors.isLasting(error.message()));
        }
        return Reply.unknown(unexpected(reply));
    }

    private static Reply reply(List<?> words, QuorumConfig config) {
        return switch (word(words, 0)) {
            case "granted" -> Reply.GRANTED;
            case "refused" ->
                new Reply.Refused(
                        timeLeft(Long.parseLong(word(words, 1))),
                        fence(words, 2),
                        words.size() > 3 ? Long.parseLong(word(words, 3)) : 0,
                        words.size() > 4 ? word(words, 4) : "");
            case "stale" -> new Reply.Stale(fence(words, 1));
            case "ahead" -> new Reply.Ahead(fence(words, 1));
            case "quarantined" -> new Reply.Quarantined(config.quarantineLeft(millis(words)));
            case "conflict" -> Reply.unfit(config(word(words, 1)).rejectionOf(config));
            default -> throw new IllegalArgumentException("unknown kind of reply");
        };
    }

    /** Converts the reply of the script that probes a node. */
    public static NodeStanding standing(RedisReply reply, QuorumConfig config) {
        if (!(reply instanceof RedisReply.Value)) {
            return unknown(reply);
        }
        try {
            return standing(words(reply), config);
        } catch (IllegalArgumentException | IndexOutOfBoundsException e) {
            return unknown(reply);
        }
    }

    /** Converts any reply of a node that votes whenever it answers. */
    public static NodeStanding vote(RedisReply reply) {
        return reply instanceof RedisReply.Value ? NodeStanding.Admitted.of(FencingToken.NONE) : unknown(reply);
    }

    /** Converts a reply that says nothing about the standing, such as that the node is not connected. */
    public static NodeStanding unknown(RedisReply reply) {
        Reply.Failed failed = failure(reply);
        return new NodeStanding.Unknown(failed.cause(), failed.lasting());
    }

    private static NodeStanding standing(List<?> words, QuorumConfig config) {
        return switch (word(words, 0)) {
            case "admitted" ->
                new NodeStanding.Admitted(
                        fence(words, 1), new NodeStanding.Agreed("1".equals(word(words, 2)), word(words, 3)));
            case "quarantined" ->
                new NodeStanding.Quarantined(millis(words), "1".equals(word(words, 2)), word(words, 3));
            case "conflict" -> NodeStanding.Unknown.rejected(config(word(words, 1)), config);
            default -> throw new IllegalArgumentException("unknown kind of reply");
        };
    }

    /** Converts a message to an inbox. Returns null for a message that no script of Holdfast sends. */
    public static @Nullable WakeUp wakeUp(String message) {
        String[] words = message.split(" ", 3);
        if (words.length < 3) {
            return null;
        }
        try {
            boolean isGrant = words[0].startsWith(GRANTED_PREFIX);
            return new WakeUp(
                    words[2],
                    isGrant ? Duration.ZERO : millis(words[0]),
                    new FencingToken(Long.parseLong(words[1])),
                    isGrant ? words[0].substring(GRANTED_PREFIX.length()) : "");
        } catch (IllegalArgumentException e) {
            return null;
        }
    }

    /** Returns the words of a reply. A reply of one word is a text or a list. */
    private static List<?> words(RedisReply reply) {
        if (reply instanceof RedisReply.Value value && value.value() instanceof String word) {
            return List.of(word);
        }
        if (reply instanceof RedisReply.Value value && value.value() instanceof List<?> words && !words.isEmpty()) {
            return words;
        }
        throw new IllegalArgumentException("not a list");
    }

    private static String unexpected(RedisReply reply) {
        return "replied what no script of Holdfast returns: "
                + (reply instanceof RedisReply.Value value ? ServerText.shape(value.value()) : reply);
    }

    /** Returns a configuration that a marker contains. */
    private static QuorumConfig config(String text) {
        Matcher config = CONFIG.matcher(text);
        if (!config.matches()) {
            throw new IllegalArgumentException("no configuration");
        }
        QuorumConfig own = config(config.group(1), config.group(2));
        return config.group(3) == null ? own : own.beside(config(config.group(3), config.group(4)));
    }

    private static QuorumConfig config(String nodes, String maxLeaseMillis) {
        return new QuorumConfig(Integer.parseInt(nodes), Duration.ofMillis(Long.parseLong(maxLeaseMillis)));
    }

    /** Converts the reply of the script that changes which clients a node accepts. */
    public static NodeAdmin.Agreement agreement(RedisReply reply) {
        List<?> words = words(reply);
        String config = word(words, 1);
        return new NodeAdmin.Agreement(config.isEmpty() ? null : config(config), word(words, 2), fence(words, 3));
    }

    /**
     * Returns the time that the reply to {@code PTTL} states. A key without a time to live was not set by Holdfast and
     * never expires.
     */
    public static Duration timeLeft(long pttl) {
        return pttl < 0 || pttl > Reply.Refused.ENDLESS.toMillis() ? Reply.Refused.ENDLESS : Duration.ofMillis(pttl);
    }

    private static Duration millis(List<?> words) {
        return millis(word(words, 1));
    }

    /** Returns a time from 0 to {@link Reply.Refused#ENDLESS}, with which all arithmetic is possible. */
    private static Duration millis(String number) {
        long millis = Long.parseLong(number);
        return millis < 0 ? Duration.ZERO : timeLeft(millis);
    }

    private static FencingToken fence(List<?> words, int index) {
        return new FencingToken(Long.parseLong(word(words, index)));
    }

    private static String word(List<?> words, int index) {
        return String.valueOf(words.get(index));
    }
}
