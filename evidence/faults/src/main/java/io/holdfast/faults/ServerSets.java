package io.holdfast.faults;

import io.holdfast.Holdfast;
import io.holdfast.HoldfastOptions;
import io.holdfast.lettuce.LettuceNodes;
import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * The servers of a run: one set, or two. With two, the clients change from the first to the second and back, each time
 * by way of clients that have both, as docs/operations.md describes it.
 */
final class ServerSets implements AutoCloseable {

    private static final int STEPS = 4;

    private final FaultPlan plan;
    private final List<FaultyServer> first;
    private final List<FaultyServer> second;
    private int step;

    ServerSets(FaultPlan plan) {
        this.plan = plan;
        first = start(plan.nodes(), plan);
        second = start(plan.otherNodes(), plan);
    }

    private static List<FaultyServer> start(int count, FaultPlan plan) {
        return Stream.generate(() -> new FaultyServer(plan)).limit(count).toList();
    }

    List<FaultyServer> all() {
        return joined(first, second);
    }

    /** Returns all servers of the clients of the present step. */
    synchronized List<FaultyServer> inUse() {
        return joined(present(), previous());
    }

    /** Returns the addresses for a client: one argument for the present set, and one for the previous one. */
    synchronized List<String> arguments(int client) {
        return Stream.of(present(), previous())
                .filter(set -> !set.isEmpty())
                .map(set -> set.stream().map(server -> server.uri(client)).collect(Collectors.joining(",")))
                .toList();
    }

    /** Returns whether the clients of the present step have both sets. */
    synchronized boolean areBoth() {
        return !previous().isEmpty();
    }

    /** Connects an administrator, whom no fault between the machines concerns. */
    synchronized Holdfast connect() {
        HoldfastOptions options = FaultPlan.options(plan.lease()).toBuilder()
                .previousNodes(uris(previous()))
                .build();
        return Holdfast.connect(uris(present()), options, new LettuceNodes());
    }

    private static List<String> uris(List<FaultyServer> servers) {
        return servers.stream().map(server -> server.server().uri().toString()).toList();
    }

    private List<FaultyServer> present() {
        return step == 0 || step == STEPS - 1 ? first : second;
    }

    /** Returns the servers of the previous set; none between two changes. */
    private List<FaultyServer> previous() {
        return switch (step) {
            case 1 -> first;
            case STEPS - 1 -> second;
            default -> List.of();
        };
    }

    /** Goes on to the next step: clients that start from now on have its servers. */
    synchronized void advance() {
        step = (step + 1) % STEPS;
    }

    private static List<FaultyServer> joined(List<FaultyServer> some, List<FaultyServer> others) {
        return Stream.concat(some.stream(), others.stream()).toList();
    }

    @Override
    public void close() {
        all().forEach(FaultyServer::close);
    }
}
