package io.holdfast.cli.option;

import io.holdfast.LockOptions;
import io.holdfast.cli.syntax.Arguments;
import io.holdfast.cli.syntax.CommandOption;

/** How long a lock is kept that nobody renews: by commands that end while it is held. */
public final class LeaseOption {

    public static final CommandOption LEASE = CommandOption.of(
            "--lease",
            "DURATION",
            "How long the servers keep the lock from now on, unless it is renewed; --max-lease at most. Default: 30s.");

    private LeaseOption() {}

    public static LockOptions of(Arguments given) {
        LockOptions unrenewed = LockOptions.builder().renewal(false).build();
        return given.value(LEASE, DurationSyntax::parse)
                .map(lease -> unrenewed.toBuilder().lease(lease).build())
                .orElse(unrenewed);
    }
}
