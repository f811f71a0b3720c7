package io.holdfast.time;

import java.time.Duration;
import java.util.concurrent.CompletableFuture;

/** Virtual time that goes on while its thread waits. */
public final class AdvancingTime extends ForwardingTime {

    private static final Duration STEP = Duration.ofMillis(1);

    private final VirtualTime time;

    public AdvancingTime(VirtualTime time) {
        super(time);
        this.time = time;
    }

    @Override
    public boolean await(CompletableFuture<?> future, Duration limit) {
        long begun = time.now().nanos();
        while (!future.isDone()) {
            if (time.now().nanos() - begun >= limit.toNanos()) {
                return false;
            }
            time.advance(STEP);
        }
        return true;
    }
}
