package io.holdfast.testkit.hostile;

import io.holdfast.redis.client.RedisReply;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import org.jspecify.annotations.Nullable;

/** Random replies of a server that speaks the protocol, and replies what no script of Holdfast returns. */
public final class HostileValues {

    private static final int DEEPEST = 4;
    private static final int LONG_TEXT = 5_000;

    /** The kinds of replies of the scripts, so that what follows them is parsed as well. */
    private static final List<String> KINDS =
            List.of("granted", "refused", "stale", "ahead", "quarantined", "conflict", "admitted", "record");

    private static final List<String> WORDS = List.of(
            "",
            "0",
            "1",
            "-1",
            "OK",
            "PONG",
            "3/60000",
            "0/",
            "/",
            "1e9",
            "1e99",
            "1e999999999",
            "NaN",
            "9007199254740991",
            "9007199254740992",
            "9223372036854775807",
            "-9223372036854775808",
            "99999999999999999999",
            "\u001b[2J\u0007",
            "line\r\nline",
            "{}:holdfast:fence",
            ":holdfast:fence",
            "{order}:holdfast:fence",
            "host:holdfast:retained",
            "redis://user:secret@host");

    private static final List<Long> NUMBERS =
            List.of(0L, 1L, -1L, -2L, 1_000L, (1L << 53) - 1, 1L << 53, Long.MAX_VALUE, Long.MIN_VALUE, (long)
                    Integer.MAX_VALUE);

    private static final List<String> ERRORS = List.of(
            "",
            "ERR",
            "NOSCRIPT No matching script",
            "NOPERM User x has no permissions to run the 'evalsha' command",
            "NOPERM this user has no permissions to access one of the channels",
            "MOVED 1 127.0.0.1:1",
            "READONLY You can't write against a read only replica",
            "BUSY \u001b[2J",
            "OOM command not allowed",
            "WRONGTYPE Operation against a key",
            "LOADING");

    private final Random random;

    /** Creates values whose choices follow from the random numbers. */
    public HostileValues(Random random) {
        this.random = random;
    }

    /** Returns a reply to any command. */
    public RedisReply reply() {
        return switch (random.nextInt(8)) {
            case 0 -> new RedisReply.ServerError(one(ERRORS) + text(random.nextInt(40)));
            case 1 -> new RedisReply.NoReply(random.nextBoolean(), "no reply", random.nextInt(10) == 0);
            case 2 -> new RedisReply.Value(value(0));
            default -> new RedisReply.Value(ofScript());
        };
    }

    /** Returns a list that begins as a reply of a script does. */
    private List<@Nullable Object> ofScript() {
        List<@Nullable Object> words = new ArrayList<>();
        words.add(one(KINDS));
        for (int i = random.nextInt(7); i > 0; i--) {
            words.add(random.nextInt(6) == 0 ? value(1) : number());
        }
        return words;
    }

    /** Returns a value of any type. */
    public @Nullable Object value(int depth) {
        return switch (random.nextInt(depth < DEEPEST ? 9 : 6)) {
            case 0 -> null;
            case 1 -> one(NUMBERS);
            case 2 -> one(WORDS);
            case 3 -> text(random.nextInt(60));
            case 4 -> random.nextInt(50) == 0 ? text(LONG_TEXT) : random.nextDouble();
            case 5 -> random.nextBoolean();
            default -> list(depth + 1);
        };
    }

    private List<@Nullable Object> list(int depth) {
        List<@Nullable Object> list = new ArrayList<>();
        for (int i = random.nextInt(6); i > 0; i--) {
            list.add(value(depth));
        }
        return list;
    }

    private Object number() {
        return random.nextBoolean()
                ? one(NUMBERS)
                : random.nextInt(3) == 0 ? one(WORDS) : one(NUMBERS).toString();
    }

    /** Returns a message that may be sent to an inbox. */
    public String message() {
        return random.nextInt(4) == 0 ? text(30) : number() + " " + number() + " " + one(List.of("order", text(10)));
    }

    /** Returns a text of any characters. */
    public String text(int length) {
        StringBuilder text = new StringBuilder(length);
        for (int i = 0; i < length; i++) {
            text.append((char) random.nextInt(random.nextInt(5) == 0 ? Character.MIN_SURROGATE : 0x80));
        }
        return text.toString();
    }

    private <T> T one(List<T> all) {
        return all.get(random.nextInt(all.size()));
    }
}
