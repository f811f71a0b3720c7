package io.holdfast;

import java.time.Duration;

/** Bad input is refused when it is given, with its name, its value, the rule and the remedy. */
final class OptionChecks {

    static final Duration MIN_LEASE = Duration.ofMillis(10);

    private OptionChecks() {}

    static void that(boolean holds, String name, Duration value, String rule, String remedy) {
        if (!holds) {
            throw new IllegalArgumentException(name + " " + value + " " + rule + "; " + remedy);
        }
    }

    /** A duration for which a lease can last without a renewal. */
    static void lease(String name, Duration lease) {
        boolean inRange = lease.compareTo(MIN_LEASE) >= 0 && lease.compareTo(LockOptions.MAX_LEASE) <= 0;
        that(
                inRange,
                name,
                lease,
                "is not between " + MIN_LEASE + " and " + LockOptions.MAX_LEASE,
                "for a longer hold leave renewal on; a lease only has to outlast an outage of the nodes");
    }
}
