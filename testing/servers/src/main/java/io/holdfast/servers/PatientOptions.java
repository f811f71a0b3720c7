package io.holdfast.servers;

import io.holdfast.HoldfastOptions;
import io.holdfast.LockOptions;
import java.time.Duration;

/**
 * Options for tests on real servers that are about something else than time. Their limits are far above what a machine
 * needs that is ten times slower. They cost nothing, since every wait ends with its answer.
 */
public final class PatientOptions {

    /** Options of a client that waits up to a minute for each connection. */
    public static final HoldfastOptions CLIENT =
            HoldfastOptions.builder().connectTimeout(Duration.ofMinutes(1)).build();

    /** Options of a lock with a lease of a minute. A round waits 5 s for a node, and an acquisition two minutes. */
    public static final LockOptions LOCK = LockOptions.builder()
            .lease(Duration.ofMinutes(1))
            .nodeTimeout(Duration.ofSeconds(5))
            .waitLimit(Eventually.BOUND)
            .build();

    private PatientOptions() {}
}
