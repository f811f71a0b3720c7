package io.holdfast.cli;

import io.holdfast.LockOptions;
import java.time.Duration;
import picocli.CommandLine.Option;

/** How long a lock is kept that nobody renews: by commands that end while it is held. */
final class LeaseOption {

    @Option(
            names = "--lease",
            paramLabel = "DURATION",
            converter = Durations.class,
            defaultValue = "30s",
            description = "How long the servers keep the lock from now on, unless it is renewed; --max-lease at most."
                    + " Default: 30s.")
    private Duration lease = Duration.ZERO;

    LockOptions options() {
        return LockOptions.DEFAULT.withLease(lease).withRenewal(false);
    }
}
