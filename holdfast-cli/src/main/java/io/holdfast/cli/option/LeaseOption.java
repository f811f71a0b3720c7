package io.holdfast.cli.option;

import io.holdfast.LockOptions;
import io.holdfast.cli.syntax.Arguments;
import io.holdfast.cli.syntax.CommandOption;

/** The lease of commands that end while the lock is held, so that Holdfast does not renew it. */
public final class LeaseOption {

    public static final CommandOption LEASE = CommandOption.of(
            "--lease",
            "DURATION",
            "How long the servers keep the lock unless it is renewed; at most --max-lease. Default: 30s.");

    private LeaseOption() {}

    public static LockOptions of(Arguments arguments) {
        LockOptions unrenewed = LockOptions.builder().renewal(false).build();
        return arguments
                .value(LEASE, DurationSyntax::parse)
                .map(lease -> unrenewed.toBuilder().lease(lease).build())
                .orElse(unrenewed);
    }
}
