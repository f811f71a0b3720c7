package io.holdfast.simulation;

import io.holdfast.lease.Loss;
import io.holdfast.lease.Owner;
import io.holdfast.node.Claim;
import io.holdfast.node.Reply;
import io.holdfast.quorum.Vote;
import io.holdfast.simulation.world.Fault;
import io.holdfast.simulation.world.ObservedLease;
import io.holdfast.simulation.world.Observer;
import io.holdfast.simulation.world.SimulatedClient;
import io.holdfast.simulation.world.SimulatedNode;
import io.holdfast.simulation.world.World;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.LongSupplier;
import java.util.stream.Stream;

/** Everything that happened in a run, for a person to read. Attempts are numbered, since owners are random text. */
public final class Timeline implements Observer {

    private final List<String> lines = new ArrayList<>();
    private final Map<Owner, Integer> attempts = new HashMap<>();
    private LongSupplier clock = () -> 0;

    @Override
    public void enter(World world) {
        clock = () -> world.time().now().nanos();
    }

    public Stream<String> lines() {
        return lines.stream();
    }

    /** Adds an event in a client, in a node or on the link between them. */
    private void add(String where, String text) {
        lines.add(String.format("%12.6f  %-10s %s", clock.getAsLong() / 1e9, where, text));
    }

    private void add(ObservedLease holding, String text) {
        add(holding.client().name(), name(holding.lease().owner()) + " " + text);
    }

    private String name(Owner owner) {
        return "#" + attempts.computeIfAbsent(owner, unknown -> attempts.size() + 1);
    }

    private String text(Claim claim) {
        boolean isRelease = claim.action() == Claim.Action.RELEASE;
        String action =
                isRelease && !claim.servesNext() ? "WITHDRAW" : claim.action().name();
        String ttl = isRelease ? "" : " for " + claim.ttl().toMillis() + " ms";
        String shared = claim.isShared() ? " shared" : "";
        return action + " " + claim.resource() + shared + " " + name(claim.owner()) + " fence " + claim.fence() + ttl;
    }

    @Override
    public void sent(SimulatedClient client, SimulatedNode node, Claim claim) {
        add(client.name(), text(claim) + " → " + node.name());
    }

    @Override
    public void processed(SimulatedNode node, Claim claim, Reply reply) {
        add(node.name(), text(claim) + " ⇒ " + new Vote(0, "", reply).text());
    }

    @Override
    public void granted(ObservedLease holding) {
        add(holding, holding + ", " + holding.lease().state());
    }

    @Override
    public void relied(ObservedLease holding) {
        add(holding, "live, " + holding.lease().remaining().toMillis() + " ms left");
    }

    @Override
    public void wrote(ObservedLease holding, boolean accepted) {
        add(holding, "writes with " + holding.token() + (accepted ? "" : ", refused"));
    }

    @Override
    public void lost(ObservedLease holding, Loss loss) {
        add(holding, loss.toString());
    }

    @Override
    public void releasing(ObservedLease holding) {
        add(holding, "released by its holder");
    }

    @Override
    public void struck(Fault fault) {
        add(fault.where(), fault.what());
    }

    @Override
    public void healed() {
        add("", "all faults are over");
    }

    @Override
    public void calm() {
        add("", "pending cleanup has finished");
    }

    @Override
    public void ended() {
        add("", "the end");
    }
}
