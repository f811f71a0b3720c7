package io.holdfast.simulation.timeline;

import io.holdfast.lease.Loss;
import io.holdfast.lease.Owner;
import io.holdfast.node.Claim;
import io.holdfast.node.Reply;
import io.holdfast.node.Vote;
import io.holdfast.simulation.timeline.TimelineEvent.Kind;
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

    private final List<TimelineEvent> events = new ArrayList<>();
    private final Map<Owner, Integer> attempts = new HashMap<>();
    private LongSupplier clock = () -> 0;

    @Override
    public void enter(World world) {
        clock = () -> world.time().now().nanos();
    }

    List<TimelineEvent> events() {
        return events;
    }

    public Stream<String> lines() {
        return events.stream().map(TimelineEvent::toString);
    }

    private void add(String lane, Kind kind, String attempt, String resource, long lastsNanos, String text) {
        events.add(new TimelineEvent(clock.getAsLong(), lane, kind, attempt, resource, lastsNanos, text));
    }

    private void add(ObservedLease holding, Kind kind, String text) {
        String attempt = name(holding.lease().owner());
        add(holding.client().name(), kind, attempt, holding.resource(), 0, attempt + " " + text);
    }

    private String name(Owner owner) {
        return "#" + attempts.computeIfAbsent(owner, unknown -> attempts.size() + 1);
    }

    private String text(Claim claim) {
        String ttl = claim.isRelease() && claim.action() != Claim.Action.RETAIN
                ? ""
                : " for " + claim.ttl().toMillis() + " ms";
        String shared = claim.isShared() ? " shared" : "";
        return claim.action() + " " + claim.resource() + shared + " " + name(claim.owner()) + " fence " + claim.fence()
                + ttl;
    }

    @Override
    public void sent(SimulatedClient client, SimulatedNode node, Claim claim) {
        add(client.name(), Kind.SENT, name(claim.owner()), claim.resource(), 0, text(claim) + " → " + node.name());
    }

    @Override
    public void processed(SimulatedNode node, Claim claim, Reply reply) {
        boolean granted = reply instanceof Reply.Granted;
        boolean release = claim.isRelease() && claim.action() != Claim.Action.RETAIN;
        Kind kind = !granted ? Kind.ANSWERED : release ? Kind.DELETED : Kind.KEPT;
        String answer = new Vote("", reply).toString().substring(2);
        long lasts = claim.ttl().toNanos();
        add(node.name(), kind, name(claim.owner()), claim.resource(), lasts, text(claim) + " ⇒ " + answer);
    }

    @Override
    public void granted(ObservedLease holding) {
        add(holding, Kind.GRANTED, holding + ", " + holding.lease().state());
    }

    @Override
    public void relied(ObservedLease holding) {
        add(holding, Kind.RELIED, "live, " + holding.lease().remaining().toMillis() + " ms left");
    }

    @Override
    public void wrote(ObservedLease holding, boolean accepted) {
        add(holding, Kind.WROTE, "writes with " + holding.token() + (accepted ? "" : ", refused"));
    }

    @Override
    public void lost(ObservedLease holding, Loss loss) {
        add(holding, Kind.LOST, loss.toString());
    }

    @Override
    public void releasing(ObservedLease holding) {
        add(holding, Kind.RELEASED, "released by its holder");
    }

    @Override
    public void struck(Fault fault) {
        add(fault.where(), Kind.STRUCK, "", "", fault.begins() ? Long.MAX_VALUE : 0, fault.what());
    }

    @Override
    public void healed() {
        add("", Kind.PHASE, "", "", 0, "all faults are over");
    }

    @Override
    public void calm() {
        add("", Kind.PHASE, "", "", 0, "pending cleanup has finished");
    }

    @Override
    public void ended() {
        add("", Kind.PHASE, "", "", 0, "the end");
    }
}
