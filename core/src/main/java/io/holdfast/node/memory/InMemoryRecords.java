package io.holdfast.node.memory;

import io.holdfast.lease.Owner;
import io.holdfast.record.LockRecord;
import io.holdfast.record.RecordAnswer;
import io.holdfast.record.RecordStore;
import io.holdfast.time.Time;
import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import org.jspecify.annotations.Nullable;

/** The records of an in-memory node. Answers as a node on Redis does; each stage is complete at once. */
final class InMemoryRecords implements RecordStore {

    /** The beginning of the memory of a node in quarantine, which is not known yet. */
    private static final long UNKNOWN = -1;

    private final InMemoryNode node;
    private final FenceTable fences;
    private final Time time;
    private final ExpiringMap<Stored> records = new ExpiringMap<>();

    /**
     * A record on this node.
     *
     * @param writtenIn the beginning of the memory in which it was written: a node that was restarted since may have
     *     forgotten later records
     */
    private record Stored(LockRecord record, long writtenIn) {}

    InMemoryRecords(InMemoryNode node, FenceTable fences, Time time) {
        this.node = node;
        this.fences = fences;
        this.time = time;
    }

    @Override
    public CompletionStage<RecordAnswer> read(String resource) {
        synchronized (node) {
            Stored stored = find(resource);
            LockRecord record = stored == null ? LockRecord.none(LockRecord.ALWAYS) : stored.record();
            return CompletableFuture.completedFuture(new RecordAnswer(record, remembersSince(stored)));
        }
    }

    private Instant remembersSince(@Nullable Stored stored) {
        if (!node.votes()) {
            return LockRecord.NEVER;
        }
        long since = memory().sinceMicros();
        Instant memory = Instant.EPOCH.plus(since, ChronoUnit.MICROS);
        if (stored == null || stored.writtenIn() != since) {
            return memory;
        }
        Instant complete = stored.record().completeSince();
        return complete.isBefore(memory) ? complete : memory;
    }

    @Override
    public CompletionStage<Boolean> write(String resource, Owner owner, LockRecord record, Duration keep) {
        synchronized (node) {
            Stored before = find(resource);
            boolean isStale = before != null && before.record().isNewerThan(record);
            boolean mayBeStale = !record.fence().isAbove(memory().forgotten()) && !node.isHeldBy(owner, resource);
            boolean isStored = !isStale && !mayBeStale;
            if (isStored) {
                long writtenIn = node.votes() ? memory().sinceMicros() : UNKNOWN;
                records.put(resource, new Stored(record, writtenIn), time.now(), Duration.ofMillis(keep.toMillis()));
            }
            return CompletableFuture.completedFuture(isStored);
        }
    }

    private NodeMarker.Memory memory() {
        return fences.marker().memory();
    }

    private @Nullable Stored find(String resource) {
        records.expire(time.now());
        return records.get(resource);
    }

    /** Returns the names of the locks with a record. */
    List<String> names() {
        records.expire(time.now());
        return records.keys();
    }

    /** Deletes all records. */
    void clear() {
        records.clear();
    }
}
