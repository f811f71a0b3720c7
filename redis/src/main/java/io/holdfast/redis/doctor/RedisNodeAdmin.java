package io.holdfast.redis.doctor;

import io.holdfast.lease.ClientDescription;
import io.holdfast.lease.FencingToken;
import io.holdfast.lease.Owner;
import io.holdfast.node.Claim;
import io.holdfast.node.Diagnosis;
import io.holdfast.node.NodeAdmin;
import io.holdfast.node.NodeLockStatus;
import io.holdfast.node.NodeLockStatus.Waiter;
import io.holdfast.node.NodeSettings;
import io.holdfast.redis.client.MissingRight;
import io.holdfast.redis.client.RedisReplies;
import io.holdfast.redis.client.RedisReply;
import io.holdfast.redis.client.RedisSession;
import io.holdfast.redis.connection.HandshakeGate;
import io.holdfast.redis.keys.Keys;
import io.holdfast.redis.keys.OwnerFingerprint;
import io.holdfast.redis.keys.ReplyParser;
import io.holdfast.time.Time;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletionStage;
import java.util.function.Function;
import java.util.function.Predicate;
import java.util.function.Supplier;
import java.util.regex.Pattern;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** The administration of one server. Uses no scripts, so that users without permission for scripts can use it. */
public final class RedisNodeAdmin implements NodeAdmin {

    /** The time to live of a note, far longer than it is needed; the next holder overwrites it. */
    private static final String NOTE_MILLIS = Long.toString(Duration.ofDays(7).toMillis());

    /** The time to live of the note about a removal, longer than a holder needs to notice it. */
    private static final String REMOVAL_MILLIS =
            Long.toString(Duration.ofMinutes(1).toMillis());

    /** The mark of a note about a removal, in place of that of a holder. */
    private static final String REMOVED = "removed";

    private static final int INSPECTED = 4;
    private static final Pattern FENCE = Pattern.compile("\\d{1,16}");

    private final Supplier<RedisSession> current;
    private final NodeSettings settings;
    private final HandshakeGate gate;
    private final Duration fenceLife;
    private final NoteWriter notes;

    /** Stores the note of a holder, if it holds the lock on the node. */
    @FunctionalInterface
    public interface NoteWriter {

        /**
         * Stores or deletes a note.
         *
         * @param args the owner, the note or an empty text to delete it, and its time to live in ms
         * @return a stage of the number 1 if the owner holds the lock, else 0
         */
        CompletionStage<RedisReply> write(Keys keys, List<String> args);
    }

    /**
     * Creates the administration of one server.
     *
     * @param current returns the current session, which sends the commands when this kind of node may send others
     * @param fenceLife the time to live that this kind of node gives a fence
     * @param notes stores a note as this kind of node can
     */
    public RedisNodeAdmin(
            Supplier<RedisSession> current,
            NodeSettings settings,
            HandshakeGate gate,
            Duration fenceLife,
            NoteWriter notes) {
        this.gate = gate;
        this.notes = notes;
        this.fenceLife = fenceLife;
        this.current = current;
        this.settings = settings;
    }

    @Override
    public CompletionStage<NodeLockStatus> inspect(String resource) {
        RedisSession session = current.get();
        Keys keys = Keys.of(resource);
        List<CompletionStage<RedisReply>> replies = List.of(
                session.send(List.of("MGET", keys.lock(), keys.fence(), keys.note(), keys.owner())),
                session.send(List.of("PTTL", keys.lock())),
                session.send(List.of("ZRANGE", keys.queue(), "0", "-1", "WITHSCORES")),
                session.send(List.of("ZRANGE", keys.sharedHolders(), "0", "-1")),
                // MGET finds nothing where GET fails: at a key of another type, which no lock can be acquired at.
                session.send(List.of("GET", keys.lock())));
        return convert(
                keys,
                replies,
                all -> view(
                        RedisReplies.list(all.get(0)),
                        RedisReplies.number(all.get(1)),
                        waiters(RedisReplies.list(all.get(2))),
                        RedisReplies.list(all.get(3)).stream()
                                .map(String::valueOf)
                                .toList()));
    }

    private static NodeLockStatus view(List<?> values, long pttl, List<Waiter> queue, List<String> sharedHolders) {
        if (values.size() != INSPECTED || !values.stream().allMatch(RedisNodeAdmin::isTextOrNull)) {
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
                owners.stream().flatMap(RedisNodeAdmin::client).toList(),
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

    @Override
    public CompletionStage<Boolean> names(Predicate<List<String>> pages) {
        return new NameScan(current.get(), pages).run();
    }

    @Override
    public CompletionStage<List<String>> recorded() {
        return convert(
                Keys.of(Keys.RECORDS),
                List.of(current.get().send(List.of("ZRANGE", Keys.RECORDS, "0", "-1"))),
                all -> RedisReplies.list(all.get(0)).stream()
                        .map(String::valueOf)
                        .toList());
    }

    /** Names come from the fences. A shorter life than that of the node would let the next token be smaller. */
    @Override
    public CompletionStage<Boolean> keepListed(String resource) {
        Keys keys = Keys.of(resource);
        String millis = Long.toString(fenceLife.toMillis());
        return convert(
                keys,
                List.of(current.get().send(List.of("PEXPIRE", keys.fence(), millis))),
                all -> RedisReplies.number(all.get(0)) > 0);
    }

    @Override
    public CompletionStage<Boolean> evict(String resource, String note) {
        RedisSession session = current.get();
        Keys keys = Keys.of(resource);
        // Another program may use the name for its own data. GET fails if the key has another type than a lock.
        return convert(keys, List.of(session.send(List.of("GET", keys.lock()))), all -> keys)
                .thenCompose(ofALock -> remove(session, ofALock, note));
    }

    private CompletionStage<Boolean> remove(RedisSession session, Keys keys, String note) {
        // The holder finds the note when it misses the lock. A user who may not write the note breaks the lock without
        // it.
        session.send(List.of("SET", keys.note(), REMOVED + " 0 " + note, "PX", REMOVAL_MILLIS));
        return convert(
                keys,
                List.of(session.send(List.of("DEL", keys.lock(), keys.sharedHolders(), keys.owner()))),
                all -> RedisReplies.number(all.get(0)) > 0);
    }

    @Override
    public CompletionStage<Boolean> annotate(Claim held, String text) {
        Keys keys = Keys.of(held.resource());
        String holder =
                held.isShared() ? "shared" : OwnerFingerprint.of(held.owner().token());
        String note = text.isEmpty() ? "" : holder + " " + held.fence() + " " + text;
        return convert(
                keys,
                List.of(notes.write(keys, List.of(held.owner().token(), note, NOTE_MILLIS))),
                all -> RedisReplies.number(all.get(0)) > 0);
    }

    @Override
    public CompletionStage<Void> describe(String client, ClientDescription description, Duration keep) {
        String millis = Long.toString(keep.toMillis());
        return convert(
                Keys.of(Keys.client(client)),
                List.of(current.get().send(List.of("SET", Keys.client(client), description.text(), "PX", millis))),
                all -> null);
    }

    @Override
    public CompletionStage<Map<String, ClientDescription>> clients(List<String> ids) {
        List<String> command = new ArrayList<>(List.of("MGET"));
        ids.stream().map(Keys::client).forEach(command::add);
        return convert(Keys.of(command.get(1)), List.of(current.get().send(command)), all -> {
            List<?> texts = RedisReplies.list(all.get(0));
            Map<String, ClientDescription> known = new LinkedHashMap<>();
            for (int i = 0; i < Math.min(ids.size(), texts.size()); i++) {
                if (texts.get(i) instanceof String text) {
                    String id = ids.get(i);
                    ClientDescription.parse(text).ifPresent(description -> known.put(id, description));
                }
            }
            return known;
        });
    }

    @Override
    public CompletionStage<Diagnosis> examine(Time time) {
        return new NodeDiagnostics(current.get(), settings, gate, time).run();
    }

    private <T> CompletionStage<T> convert(
            Keys keys, List<CompletionStage<RedisReply>> replies, Function<List<RedisReply>, T> converter) {
        return RedisReplies.all(replies).thenApply(all -> {
            RedisReply failure = RedisReplies.firstFailure(all);
            if (failure != null) {
                throw new IllegalStateException(reason(gate.explained(failure), keys.rights()));
            }
            try {
                return converter.apply(all);
            } catch (IllegalArgumentException malformed) {
                throw new IllegalStateException(ReplyParser.failure(all.get(0)).cause(), malformed);
            }
        });
    }

    /** Returns the reason of a failure; the rules grant the keys of the command, if the user lacks them. */
    private static String reason(RedisReply reply, String keyRights) {
        return reply instanceof RedisReply.ServerError error && MissingRight.isCauseOf(error.message())
                ? MissingRight.explain(error.message(), keyRights)
                : ReplyParser.failure(reply).cause();
    }
}
