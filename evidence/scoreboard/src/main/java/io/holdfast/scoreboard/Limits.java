package io.holdfast.scoreboard;

import java.time.Duration;

/**
 * The size of a run. Each of its steps ends with an event; these are the times after which it ends without one.
 *
 * @param clients the number of processes
 * @param work how long a struck holder works, whose lease is renewed: longer than a lease
 * @param unrenewedWork how long it works otherwise: shorter than a lease, as its documentation demands
 * @param fault how long a fault lasts that keeps the holder from its work
 * @param recovery how long the run goes on after the fault
 */
record Limits(int clients, Duration work, Duration unrenewedWork, Duration fault, Duration recovery) {

    /** Three processes; leases are two seconds if they are renewed, and five seconds otherwise. */
    static final Limits FULL =
            new Limits(3, Duration.ofSeconds(6), Duration.ofSeconds(4), Duration.ofSeconds(10), Duration.ofSeconds(8));

    private static final Duration PATIENCE = Duration.ofMinutes(2);

    /** Two processes, and the holder works until the other one has written, whatever the speed of the machine. */
    static final Limits PATIENT = new Limits(2, PATIENCE, PATIENCE, PATIENCE, PATIENCE);
}
