package io.holdfast.redis.cluster;

import io.holdfast.lease.Owner;
import io.holdfast.record.LockRecord;
import io.holdfast.record.RecordAnswer;
import io.holdfast.record.RecordStore;
import java.time.Duration;
import java.util.concurrent.CompletionStage;
import java.util.function.Function;

/**
 * The records of a cluster. Each lies on the shard of its lock.
 *
 * @param byResource returns the records of the shard that keeps the resource
 */
record ClusterRecords(Function<String, RecordStore> byResource) implements RecordStore {

    @Override
    public CompletionStage<RecordAnswer> read(String resource) {
        return byResource.apply(resource).read(resource);
    }

    @Override
    public CompletionStage<Boolean> write(String resource, Owner owner, LockRecord record, Duration keep) {
        return byResource.apply(resource).write(resource, owner, record, keep);
    }
}
