package io.holdfast.stress;

import java.time.Duration;
import java.util.Collections;
import java.util.EnumSet;
import java.util.List;
import java.util.Set;

/**
 * What a run does.
 *
 * @param epoch after which all threads come to rest, and what remains is looked at
 * @param families which operations
 * @param closesClients whether clients are closed amid the work of their threads, and others connected
 * @param untilViolation whether it ends with the first violation
 */
record StressPlan(
        Nodes.Type nodes,
        Duration duration,
        Duration epoch,
        int threads,
        long seed,
        Set<Family> families,
        boolean closesClients,
        boolean untilViolation) {

    StressPlan {
        if (threads < 1 || families.isEmpty()) {
            throw new IllegalArgumentException("A run needs at least one thread and one family of operations");
        }
    }

    static StressPlan of(Nodes.Type nodes, Duration duration, long seed) {
        return new StressPlan(
                nodes, duration, Duration.ofSeconds(10), 12, seed, EnumSet.allOf(Family.class), true, false);
    }

    StressPlan withEpoch(Duration newEpoch) {
        return new StressPlan(nodes, duration, newEpoch, threads, seed, families, closesClients, untilViolation);
    }

    StressPlan withClientsKept() {
        return new StressPlan(nodes, duration, epoch, threads, seed, families, false, untilViolation);
    }

    /** Each family as often as its weight says. */
    List<Family> lots() {
        return families.stream()
                .flatMap(family -> Collections.nCopies(family.weight(), family).stream())
                .toList();
    }
}
