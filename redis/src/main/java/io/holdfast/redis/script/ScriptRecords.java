package io.holdfast.redis.script;

import io.holdfast.lease.Owner;
import io.holdfast.record.LockRecord;
import io.holdfast.record.RecordAnswer;
import io.holdfast.record.RecordStore;
import io.holdfast.redis.client.RedisReplies;
import io.holdfast.redis.client.RedisReply;
import io.holdfast.redis.connection.HandshakeGate;
import io.holdfast.redis.connection.RunId;
import io.holdfast.redis.keys.Keys;
import io.holdfast.redis.keys.RecordFormat;
import io.holdfast.redis.keys.ReplyParser;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.concurrent.CompletionStage;
import java.util.function.Function;

/**
 * The records of a node on one server that runs scripts.
 *
 * @param gate identifies the server of each connection
 * @param keysOf returns the keys of a resource
 * @param config the configuration of the client, as it is stored in a marker
 */
record ScriptRecords(HandshakeGate gate, Function<String, Keys> keysOf, String config) implements RecordStore {

    private static final String STORED = "granted";

    @Override
    public CompletionStage<RecordAnswer> read(String resource) {
        return run(Script.READ_RECORD, resource).thenApply(reply -> RecordFormat.answer(words(reply)));
    }

    @Override
    public CompletionStage<Boolean> write(String resource, Owner owner, LockRecord record, Duration keep) {
        return run(
                        Script.WRITE_RECORD,
                        resource,
                        owner.token(),
                        record.fence().toString(),
                        RecordFormat.micros(record.completeSince()),
                        Long.toString(keep.toMillis()),
                        record.text(),
                        Integer.toString(record.revision()))
                .thenApply(reply -> STORED.equals(words(reply).get(0)));
    }

    /** Lists a lock among those with a record, where its record lies on another server. */
    CompletionStage<RedisReply> list(String resource, Duration keep) {
        return gate.whenIdentified(
                (server, runId) -> server.claims()
                        .sendAlone(() -> Script.LIST_RECORD.on(
                                server.session(),
                                List.of(Keys.RECORDS),
                                List.of(resource, Long.toString(keep.toMillis())))),
                none -> none);
    }

    private CompletionStage<RedisReply> run(Script script, String resource, String... args) {
        return gate.whenIdentified(
                (server, runId) -> server.claims()
                        .sendAlone(() -> script.on(
                                server.session(), keysOf.apply(resource).forRecord(), arguments(runId, args)))
                        .thenApply(reply -> gate.replaceIfWrongServer(server.session(), reply)),
                none -> none);
    }

    private List<String> arguments(RunId runId, String... args) {
        List<String> all = new ArrayList<>(List.of(runId.onWire(), config));
        Collections.addAll(all, args);
        return all;
    }

    private static List<?> words(RedisReply reply) {
        List<?> words = RedisReplies.list(reply);
        if (words.isEmpty()) {
            throw new IllegalStateException(ReplyParser.failure(reply).cause());
        }
        return words;
    }
}
