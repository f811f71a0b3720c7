package io.holdfast.faults;

import io.holdfast.Holdfast;
import io.holdfast.HoldfastOptions;
import io.holdfast.lettuce.LettuceNodes;
import java.time.Duration;
import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * The servers of a run: one set, or two. With two, the clients change from the first to the second and back, each time
 * by way of clients that have both, as docs/operations.md describes it.
 */
final class ServerSets implements AutoCloseable {

    private static final int STEPS = 4;

    /** Servers whose clients may request leases up to this one. */
    private record OneSet(List<FaultyServer> servers, Duration longestLease) {

        static OneSet start(int count, Duration longestLease, FaultPlan plan) {
            return new OneSet(
                    Stream.generate(() -> new FaultyServer(plan)).limit(count).toList(), longestLease);
        }

        List<String> uris() {
            return servers.stream()
                    .map(server -> server.server().uri().toString())
                    .toList();
        }

        /** Returns the arguments of a client process. */
        Stream<String> arguments(int client) {
            return Stream.of(
                    servers.stream().map(server -> server.uri(client)).collect(Collectors.joining(",")),
                    Long.toString(longestLease.toMillis()));
        }
    }

    private final OneSet first;
    private final OneSet second;
    private int step;

    ServerSets(FaultPlan plan) {
        first = OneSet.start(plan.nodes(), plan.lease(), plan);
        second = OneSet.start(plan.otherNodes(), plan.otherLongestLease(), plan);
    }

    List<FaultyServer> all() {
        return Stream.of(first, second).flatMap(set -> set.servers().stream()).toList();
    }

    /** Returns all servers of the clients of the present step. */
    synchronized List<FaultyServer> inUse() {
        return areBoth() ? all() : present().servers();
    }

    /** Returns the arguments of a client for the present set, and for the previous one if there is one. */
    synchronized List<String> arguments(int client) {
        Stream<OneSet> sets = areBoth() ? Stream.of(present(), other()) : Stream.of(present());
        return sets.flatMap(set -> set.arguments(client)).toList();
    }

    /** Returns whether the clients of the present step have both sets. */
    synchronized boolean areBoth() {
        return step % 2 == 1;
    }

    /** Connects an administrator of both sets, whom no fault between the machines concerns. */
    synchronized Holdfast connect() {
        HoldfastOptions options = FaultPlan.options(present().longestLease(), other().uris(), other().longestLease());
        return Holdfast.connect(present().uris(), options, new LettuceNodes());
    }

    private boolean isFirst() {
        return step == 0 || step == STEPS - 1;
    }

    private OneSet present() {
        return isFirst() ? first : second;
    }

    /** Returns the set that is not the present one: the previous one of clients that have both. */
    private OneSet other() {
        return isFirst() ? second : first;
    }

    /** Goes on to the next step: clients that start from now on have its servers. */
    synchronized void advance() {
        step = (step + 1) % STEPS;
    }

    @Override
    public void close() {
        all().forEach(FaultyServer::close);
    }
}
