package io.holdfast.cli;

import io.holdfast.LockOptions;
import io.holdfast.cli.line.Arguments;
import io.holdfast.cli.line.Flag;

/** How long a lock is kept that nobody renews: by commands that end while it is held. */
final class LeaseOption {

    static final Flag LEASE = Flag.of(
            "--lease",
            "DURATION",
            "How long the servers keep the lock from now on, unless it is renewed; --max-lease at most. Default: 30s.");

    private LeaseOption() {}

    static LockOptions of(Arguments given) {
        LockOptions unrenewed = LockOptions.DEFAULT.withRenewal(false);
        return given.value(LEASE, Durations::parse).map(unrenewed::withLease).orElse(unrenewed);
    }
}
