package io.holdfast.redis.cluster;

import io.holdfast.lease.Owner;
import io.holdfast.record.LockRecord;
import io.holdfast.record.RecordAnswer;
import io.holdfast.record.RecordStore;
import java.time.Duration;
import java.util.concurrent.CompletionStage;

/** The records of a cluster. Each lies on the shard of its lock. */
record ClusterRecords(ClusterShards shards) implements RecordStore {

    @Override
    public CompletionStage<RecordAnswer> read(String resource) {
        return shards.ask(resource, shard -> shard.records().read(resource));
    }

    @Override
    public CompletionStage<Boolean> write(String resource, Owner owner, LockRecord record, Duration keep) {
        return shards.ask(resource, shard -> shard.records().write(resource, owner, record, keep));
    }
}
