package io.holdfast.stress;

import io.holdfast.stress.client.Nodes;
import io.holdfast.stress.operation.Family;
import java.time.Duration;
import java.util.Collections;
import java.util.EnumSet;
import java.util.List;
import java.util.Set;

/**
 * The parameters of a run.
 *
 * @param epoch the time after which all threads stop and leftovers are checked
 * @param families the families of operations
 * @param closesClients whether clients are closed while threads use them, and replaced
 * @param untilViolation whether the run ends with the first violation
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

    /** Returns each family as often as its weight says. */
    List<Family> weightedFamilies() {
        return families.stream()
                .flatMap(family -> Collections.nCopies(family.weight(), family).stream())
                .toList();
    }
}
