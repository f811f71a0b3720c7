package io.holdfast.redis.doctor;

import io.holdfast.lease.FencingToken;
import io.holdfast.lease.Owner;
import io.holdfast.node.NodeLockStatus;
import io.holdfast.node.NodeLockStatus.Waiter;
import io.holdfast.redis.client.RedisReplies;
import io.holdfast.redis.client.RedisReply;
import io.holdfast.redis.keys.Keys;
import io.holdfast.redis.keys.OwnerFingerprint;
import io.holdfast.redis.keys.ReplyParser;
import java.time.Duration;
import java.util.List;
import java.util.regex.Pattern;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** The commands that read the state of one lock, and what their replies mean. */
final class Inspection {

    /** The mark of a note about a removal, in place of that of a holder. */
    static final String REMOVED = "removed";

    private static final int INSPECTED = 4;
    private static final Pattern FENCE = Pattern.compile("\\d{1,16}");

    private Inspection() {}

    static List<List<String>> commands(Keys keys) {
        return List.of(
                List.of("MGET", keys.lock(), keys.fence(), keys.note(), keys.owner()),
                List.of("PTTL", keys.lock()),
                List.of("ZRANGE", keys.queue(), "0", "-1", "WITHSCORES"),
                List.of("ZRANGE", keys.sharedHolders(), "0", "-1"),
                // MGET finds nothing where GET fails: at a key of another type, which no lock can be acquired at.
                List.of("GET", keys.lock()));
    }

    /** Returns the state in the replies to these commands. */
    static NodeLockStatus status(List<RedisReply> all) {
        return view(
                RedisReplies.list(all.get(0)),
                RedisReplies.number(all.get(1)),
                waiters(RedisReplies.list(all.get(2))),
                RedisReplies.list(all.get(3)).stream().map(String::valueOf).toList());
    }

    private static NodeLockStatus view(List<?> values, long pttl, List<Waiter> queue, List<String> sharedHolders) {
        if (values.size() != INSPECTED || !values.stream().allMatch(Inspection::isTextOrNull)) {
            throw new IllegalArgumentException("a reply of another length or type");
        }
        @Nullable String owner = owner((String) values.get(0), (String) values.get(3));
        FencingToken fence = values.get(1) == null
                ? FencingToken.NONE
                : new FencingToken(Long.parseLong(values.get(1).toString()));
        if (owner == null) {
            NodeLockStatus.Note removal = note(String.valueOf(values.get(2)), REMOVED);
            return new NodeLockStatus("", 0, Duration.ZERO, fence, List.of(), queue, removal, false);
        }
        boolean shared = Owner.SHARED.equals(owner);
        List<String> owners = shared ? sharedHolders : List.of(owner);
        boolean retained = !owners.isEmpty() && owners.stream().allMatch(one -> one.endsWith(Owner.RETAINED));
        String holder = shared ? "shared" : OwnerFingerprint.of(withoutMark(owner));
        return new NodeLockStatus(
                holder,
                shared ? sharedHolders.size() : 0,
                ReplyParser.timeLeft(pttl),
                fence,
                owners.stream().flatMap(Inspection::client).toList(),
                queue,
                note(String.valueOf(values.get(2)), holder),
                retained);
    }

    /** Returns the owner of a lock: its value, or what the key beside it says if the value is a time. */
    private static @Nullable String owner(@Nullable String value, @Nullable String record) {
        if (value == null || record == null || !record.startsWith(value + " ")) {
            return value;
        }
        return record.substring(value.length() + 1);
    }

    /** Parses entries with scores: a list of pairs, or with RESP2 one list. */
    private static List<Waiter> waiters(List<?> reply) {
        List<?> flat = reply.stream()
                .flatMap(item -> item instanceof List<?> pair ? pair.stream() : Stream.of(item))
                .toList();
        return IntStream.range(0, flat.size() / 2)
                .mapToObj(i -> Waiter.of(String.valueOf(flat.get(2 * i)), (long)
                        Double.parseDouble(String.valueOf(flat.get(2 * i + 1)))))
                .toList();
    }

    /** Returns the id of the client of an owner; nothing for a value that another program has stored. */
    private static Stream<String> client(String owner) {
        try {
            return Stream.of(new Owner(owner).client()).filter(id -> !id.isEmpty());
        } catch (IllegalArgumentException ofAnotherProgram) {
            return Stream.empty();
        }
    }

    private static boolean isTextOrNull(@Nullable Object value) {
        return value == null || value instanceof String;
    }

    /** Returns the owner that has released a retained lock, so that the fingerprint and the note remain the same. */
    private static String withoutMark(String owner) {
        return owner.endsWith(Owner.RETAINED) ? owner.substring(0, owner.length() - Owner.RETAINED.length()) : owner;
    }

    /** Parses a note: the holder, its fencing token and the text. A note of an earlier holder is not shown. */
    private static NodeLockStatus.Note note(String stored, String holder) {
        String[] parts = stored.split(" ", 3);
        boolean isOfHolder = parts.length == 3
                && parts[0].equals(holder)
                && FENCE.matcher(parts[1]).matches();
        return isOfHolder
                ? new NodeLockStatus.Note(FencingToken.NONE.plus(Long.parseLong(parts[1])), parts[2])
                : NodeLockStatus.Note.NONE;
    }
}
