package io.holdfast.redis.cluster;

import io.holdfast.lease.Owner;
import io.holdfast.record.LockRecord;
import io.holdfast.record.RecordAnswer;
import io.holdfast.record.RecordStore;
import io.holdfast.redis.keys.Keys;
import java.time.Duration;
import java.util.concurrent.CompletionStage;

/** The records of a cluster. Each lies on the shard of its lock, and the list of all on the shard of its own key. */
record ClusterRecords(ClusterShards shards) implements RecordStore {

    @Override
    public CompletionStage<RecordAnswer> read(String resource) {
        return shards.ask(resource, shard -> shard.records().read(resource));
    }

    @Override
    public CompletionStage<Boolean> write(String resource, Owner owner, LockRecord record, Duration keep) {
        // The record must not wait for a shard that only has the list.
        shards.ask(Keys.RECORDS, shard -> shard.listRecord(resource, keep));
        return shards.ask(resource, shard -> shard.records().write(resource, owner, record, keep));
    }
}
