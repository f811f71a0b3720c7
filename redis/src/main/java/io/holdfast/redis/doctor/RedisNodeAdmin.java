package io.holdfast.redis.doctor;

import io.holdfast.lease.ClientDescription;
import io.holdfast.node.Claim;
import io.holdfast.node.Diagnosis;
import io.holdfast.node.NodeAdmin;
import io.holdfast.node.NodeLockStatus;
import io.holdfast.node.NodeSettings;
import io.holdfast.node.QuorumConfig;
import io.holdfast.redis.client.MissingRight;
import io.holdfast.redis.client.RedisReplies;
import io.holdfast.redis.client.RedisReply;
import io.holdfast.redis.client.RedisSession;
import io.holdfast.redis.connection.HandshakeGate;
import io.holdfast.redis.keys.Keys;
import io.holdfast.redis.keys.OwnerFingerprint;
import io.holdfast.redis.keys.ReplyParser;
import io.holdfast.time.Durations;
import io.holdfast.time.Time;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.function.Function;
import java.util.stream.Stream;

/**
 * The administration of one server. Uses no scripts, so that users without permission for scripts can use it.
 *
 * @param required an example of each command that this kind of node sends
 * @param fenceLife the time to live that this kind of node gives a fence
 * @param writes writes as this kind of node can
 */
public record RedisNodeAdmin(
        NodeSettings settings, HandshakeGate gate, List<String> required, Duration fenceLife, Writes writes)
        implements NodeAdmin {

    /** The time to live of a note, far longer than it is needed; the next holder overwrites it. */
    private static final String NOTE_MILLIS = Long.toString(Duration.ofDays(7).toMillis());

    /** The time to live of the note about a removal, longer than a holder needs to notice it. */
    private static final String REMOVAL_MILLIS =
            Long.toString(Duration.ofMinutes(1).toMillis());

    /** The writes that depend on the kind of node. */
    @FunctionalInterface
    public interface Writes {

        /**
         * Stores or deletes the note of a holder, if it holds the lock on the node.
         *
         * @param args the owner, the note or an empty text to delete it, and its time to live in ms
         * @return a stage of the number 1 if the owner holds the lock, else 0
         */
        CompletionStage<RedisReply> storeNote(Keys keys, List<String> args);

        /**
         * Changes which clients the node accepts.
         *
         * @param args those of the script
         * @return a stage of its reply
         */
        default CompletionStage<RedisReply> agree(List<String> args) {
            return CompletableFuture.completedFuture(new RedisReply.NoReply(
                    false,
                    "without scripts, a server cannot say which clients it accepts; use a Redis user with the"
                            + " rights of docs/operations.md"));
        }
    }

    @Override
    public CompletionStage<NodeLockStatus> inspect(String resource) {
        RedisSession session = gate.session();
        Keys keys = Keys.of(resource);
        return convert(
                keys, Inspection.commands(keys).stream().map(session::send).toList(), Inspection::status);
    }

    @Override
    public CompletionStage<NamePage> names(String from) {
        return convert(
                Keys.of(Keys.MARKER),
                List.of(gate.session().send(ManyLocks.pageCommand(from))),
                all -> ManyLocks.page(all.get(0)));
    }

    @Override
    public CompletionStage<List<Integer>> marks(List<String> resources) {
        List<Keys> locks = resources.stream().map(Keys::of).toList();
        RedisSession session = gate.session();
        return marks(session, locks);
    }

    /** One lock that the user may not read must not hide the others of a command, so these are asked for in halves. */
    private CompletionStage<List<Integer>> marks(RedisSession session, List<Keys> locks) {
        return RedisReplies.all(ManyLocks.markCommands(locks).stream()
                        .map(session::send)
                        .toList())
                .thenCompose(all -> {
                    boolean isForbidden = all.get(0) instanceof RedisReply.ServerError error
                            && MissingRight.isCauseOf(error.message());
                    if (isForbidden && locks.size() > 1) {
                        int half = locks.size() / 2;
                        return marks(session, locks.subList(0, half))
                                .thenCombine(
                                        marks(session, locks.subList(half, locks.size())),
                                        (first, second) -> Stream.concat(first.stream(), second.stream())
                                                .toList());
                    } else if (isForbidden) {
                        return CompletableFuture.completedFuture(List.of(NodeAdmin.UNKNOWN));
                    }
                    return convert(
                            locks.get(0),
                            List.of(CompletableFuture.completedFuture(all.get(0))),
                            holders -> ManyLocks.marks(locks.size(), all));
                });
    }

    @Override
    public CompletionStage<List<String>> recorded() {
        return convert(
                Keys.of(Keys.RECORDS),
                List.of(gate.session().send(List.of("ZRANGE", Keys.RECORDS, "0", "-1"))),
                all -> RedisReplies.list(all.get(0)).stream()
                        .map(String::valueOf)
                        .toList());
    }

    /** Names come from the fences. A shorter life than that of the node would let the next token be smaller. */
    @Override
    public CompletionStage<Boolean> keepListed(String resource) {
        Keys keys = Keys.of(resource);
        String millis = Long.toString(
                Durations.longer(fenceLife, settings.config().maxLease()).toMillis());
        return convert(
                keys,
                List.of(gate.session().send(List.of("PEXPIRE", keys.fence(), millis))),
                all -> RedisReplies.number(all.get(0)) > 0);
    }

    @Override
    public CompletionStage<Boolean> evict(String resource, String note) {
        RedisSession session = gate.session();
        Keys keys = Keys.of(resource);
        // Another program may use the name for its own data. GET fails if the key has another type than a lock.
        return convert(keys, List.of(session.send(List.of("GET", keys.lock()))), all -> keys)
                .thenCompose(ofALock -> remove(session, ofALock, note));
    }

    private CompletionStage<Boolean> remove(RedisSession session, Keys keys, String note) {
        // The holder finds the note when it misses the lock. A user who may not write the note breaks the lock without
        // it.
        session.send(List.of("SET", keys.note(), Inspection.REMOVED + " 0 " + note, "PX", REMOVAL_MILLIS));
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
                List.of(writes.storeNote(keys, List.of(held.owner().token(), note, NOTE_MILLIS))),
                all -> RedisReplies.number(all.get(0)) > 0);
    }

    @Override
    public CompletionStage<Agreement> agreement() {
        return agreed(List.of("", "", "", "0"));
    }

    @Override
    public CompletionStage<Agreement> agree(String mark, Agreement next) {
        QuorumConfig config = next.config();
        return agreed(List.of(
                mark,
                config == null ? "" : ReplyParser.text(config),
                next.mark(),
                next.fence().toString()));
    }

    private CompletionStage<Agreement> agreed(List<String> args) {
        return convert(Keys.of(Keys.MARKER), List.of(writes.agree(args)), all -> ReplyParser.agreement(all.get(0)));
    }

    @Override
    public CompletionStage<Void> describe(String client, ClientDescription description, Duration keep) {
        String millis = Long.toString(keep.toMillis());
        return convert(
                Keys.of(Keys.client(client)),
                List.of(gate.session().send(List.of("SET", Keys.client(client), description.text(), "PX", millis))),
                all -> null);
    }

    @Override
    public CompletionStage<Map<String, ClientDescription>> clients(List<String> ids) {
        List<String> command = new ArrayList<>(List.of("MGET"));
        ids.stream().map(Keys::client).forEach(command::add);
        return convert(Keys.of(command.get(1)), List.of(gate.session().send(command)), all -> {
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
        return new NodeDiagnostics(settings, gate, required, time).run();
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
