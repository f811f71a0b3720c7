package io.holdfast.benchmarks;

import io.holdfast.benchmarks.Throughput.Load;
import io.holdfast.benchmarks.contestant.Contestant;
import io.holdfast.benchmarks.contestant.Library;
import io.holdfast.benchmarks.contestant.RawLettuce;
import io.holdfast.benchmarks.figures.Figures;
import io.holdfast.benchmarks.figures.Spread;
import io.holdfast.benchmarks.figures.Tables;
import io.holdfast.benchmarks.server.Deployment;
import io.holdfast.benchmarks.server.RedisLockServers;
import io.holdfast.benchmarks.server.ServerKind;
import java.net.URI;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.function.ToDoubleFunction;
import org.jspecify.annotations.Nullable;

/**
 * A contestant, and its rounds. It has no statistics of a node unless that is Redis.
 *
 * @param durability what a server writes to its disk before it replies, for tables
 */
record Entry(
        String name,
        String durability,
        Contestant contestant,
        @Nullable RedisLockServers redis,
        List<Cycles> rounds) {

    /** Returns the entry of a contestant that asks the servers of Redis and is no library. */
    static Entry of(String name, Contestant contestant, Deployment deployment) {
        return new Entry(
                name, Library.HOLDFAST.durability(), contestant, deployment.redis(ServerKind.REDIS), new ArrayList<>());
    }

    static Entry ofLettuce(Deployment deployment) {
        return of("raw Lettuce", new RawLettuce(addresses(deployment)), deployment);
    }

    /** Returns the addresses of the servers that have no duty to write to a disk. */
    static List<String> addresses(Deployment deployment) {
        return deployment.of(ServerKind.REDIS).uris().stream()
                .map(URI::toString)
                .toList();
    }

    static Entry of(Library library, Deployment deployment) {
        return new Entry(
                library.title(),
                library.durability(),
                library.connect(deployment),
                deployment.redis(library.kind()),
                new ArrayList<>());
    }

    /** Lets the entries have turns: those of the first rounds warm them up and do not count. */
    static void compare(List<Entry> entries, Load load, Duration turn, int warmUps, int rounds) throws Exception {
        for (int round = -warmUps; round < rounds; round++) {
            for (Entry entry : entries) {
                Cycles cycles = Cycles.measure(entry.contestant, load, entry.redis, turn);
                if (round >= 0) {
                    entry.rounds.add(cycles);
                }
            }
        }
    }

    /** Returns the median of the rounds. */
    double median(ToDoubleFunction<Cycles> figure) {
        return Figures.median(rounds.stream().mapToDouble(figure).toArray());
    }

    /** Returns the median of the rounds as a cell of a table; that of a node only if its server is Redis. */
    String ofNode(String format, ToDoubleFunction<Cycles> figure) {
        return redis == null ? Tables.NONE : Tables.number(format, median(figure));
    }

    /** Returns the times of all acquires, in ms. */
    Spread latencies() {
        return Spread.of(rounds.stream().flatMapToDouble(round -> round.acquireMillis().stream()));
    }
}
