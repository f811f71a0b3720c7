package io.holdfast.benchmarks.contestant;

import io.holdfast.DistributedLock;
import io.holdfast.Holdfast;
import io.holdfast.HoldfastOptions;
import io.holdfast.LockOptions;
import io.holdfast.RestartPolicy;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;

/** Holdfast with default options: fencing tokens, quarantine and renewal are on. */
public final class HoldfastLocks implements Contestant {

    private final Holdfast holdfast;
    private final Map<String, DistributedLock> locks = new ConcurrentHashMap<>();

    public HoldfastLocks(List<String> uris) {
        this.holdfast = Holdfast.connect(
                uris,
                HoldfastOptions.builder().restarts(RestartPolicy.QUARANTINE).build());
    }

    @Override
    public Runnable acquire(String resource) throws InterruptedException {
        return locks.computeIfAbsent(
                        resource,
                        name -> holdfast.lock(
                                name,
                                LockOptions.builder()
                                        .waitLimit(LockOptions.FOREVER)
                                        .build()))
                .acquire()::close;
    }

    @Override
    public void close() {
        holdfast.close();
    }
}
