package io.holdfast.node.memory;

import io.holdfast.lease.FencingToken;
import io.holdfast.node.NodeAdmin;
import io.holdfast.node.NodeStanding;
import io.holdfast.node.QuarantineProbe;
import io.holdfast.node.QuorumConfig;
import org.jspecify.annotations.Nullable;

/**
 * The state that an in-memory node keeps about itself. Each method is a pure step to the next marker.
 *
 * @param run the run id for which the other values hold; 0: none
 * @param admitted whether the node votes in that run
 * @param observation the progress of its quarantine in that run
 * @param fences the bounds of the fences of all resources
 * @param config the configuration that the clients share; null: not known yet
 * @param mark that of the {@linkplain NodeAdmin.Agreement agreement}
 * @param memory what the node may have forgotten when it was admitted
 */
record NodeMarker(
        int run,
        boolean admitted,
        Observation observation,
        FenceBounds fences,
        @Nullable QuorumConfig config,
        String mark,
        Memory memory) {

    static final NodeMarker NONE = new NodeMarker(0, false, Observation.NONE, FenceBounds.NONE, null, "", Memory.ALL);

    /**
     * The beginning of the memory of a node.
     *
     * @param sinceMicros when it was admitted, by its clock; 0: it has forgotten nothing
     * @param forgotten no fence that it has forgotten is greater
     */
    record Memory(long sinceMicros, FencingToken forgotten) {

        static final Memory ALL = new Memory(0, FencingToken.NONE);
    }

    NodeMarker with(FenceBounds newFences) {
        return new NodeMarker(run, admitted, observation, newFences, config, mark, memory);
    }

    /** Returns whether the node serves a client with this configuration; null: one that states none. */
    boolean accepts(@Nullable QuorumConfig client) {
        return config == null || client == null || config.accepts(client);
    }

    /** Returns whether the node serves a client with this configuration as to what its set has granted already. */
    boolean isOfSet(@Nullable QuorumConfig client) {
        return config == null || client == null || config.alone().equals(client.alone());
    }

    /** Returns why the node does not serve this client. */
    String rejectionOf(@Nullable QuorumConfig client) {
        return config == null || client == null ? "" : config.rejectionOf(client);
    }

    /** Returns which clients the node accepts. */
    NodeAdmin.Agreement agreement() {
        return new NodeAdmin.Agreement(config, mark, fences.fenceBound());
    }

    /** Accepts other clients from now on, and only greater fences. */
    NodeMarker agreed(NodeAdmin.Agreement next) {
        QuorumConfig accepted = next.config() == null ? config : next.config();
        return new NodeMarker(run, admitted, observation, fences.raisedTo(next.fence()), accepted, next.mark(), memory);
    }

    /** Returns the answer to a probe that has been applied. */
    NodeStanding standing(QuarantineProbe probe, boolean guarded) {
        if (config != null && (guarded ? rejects(probe) : !accepts(probe.config()))) {
            return NodeStanding.Unknown.rejected(config, probe.config());
        }
        return admitted || !guarded
                ? new NodeStanding.Admitted(
                        fences.fenceBound(), new NodeStanding.Agreed(config != null && config.isClosed(), mark))
                : new NodeStanding.Quarantined(
                        observation.total(), observation.observer().equals(probe.next()), observation.name());
    }

    /** Applies a probe in the present run. A marker from another run keeps only its fences. */
    NodeMarker probed(QuarantineProbe probe, int presentRun, long micros) {
        NodeMarker now = run == presentRun
                ? this
                : new NodeMarker(presentRun, false, Observation.NONE, fences, config, mark, memory);
        QuorumConfig agreed = now.agreedWith(probe);
        if (probe.isReadOnly() || now.rejects(probe)) {
            return now;
        } else if (now.admitted) {
            String last = accepts(probe.config()) ? mark : markAfter(probe);
            return new NodeMarker(run, true, observation, fences, agreed, last, memory);
        }
        Observation counted = now.observation.counted(probe, micros);
        FencingToken floor = probe.floor();
        boolean observedEnough = counted.total().compareTo(probe.needed()) >= 0;
        boolean mayAdmit = now.observation.isKnownTo(probe) || probe.isAdmission();
        if (observedEnough && mayAdmit && floor != null) {
            Memory admittedWith = new Memory(probe.isAdmission() ? 0 : micros, floor);
            return new NodeMarker(
                    presentRun,
                    true,
                    Observation.NONE,
                    fences.raisedTo(floor),
                    configAfter(probe, agreed),
                    markAfter(probe),
                    admittedWith);
        }
        return new NodeMarker(presentRun, false, counted.observedBy(probe), fences, config, mark, memory);
    }

    private static QuorumConfig configAfter(QuarantineProbe admission, QuorumConfig own) {
        NodeStanding.Agreed learnt = admission.agreed();
        if (learnt == null) {
            return own;
        }
        return learnt.closed() ? admission.config() : admission.config().alone();
    }

    /** Returns the mark after an admission: one that the node never had. */
    private String markAfter(QuarantineProbe admission) {
        NodeStanding.Agreed learnt = admission.agreed();
        return NodeStanding.Agreed.renewed(learnt == null ? mark : learnt.mark(), admission.next());
    }

    /**
     * Returns whether the node does not serve the client that sends this probe. An administrator may move it to another
     * set. A client of its own set may observe it while it does not vote, also if it takes part in another change: that
     * may be an earlier one, and ends with its quarantine.
     */
    private boolean rejects(QuarantineProbe probe) {
        boolean isOfSet = isOfSet(probe.config());
        boolean moves = probe.isAdmission() && !isOfSet;
        boolean observes = isOfSet && !admitted && !probe.isReadOnly() && !probe.isAdmission();
        return !accepts(probe.config()) && !moves && !observes;
    }

    /** Returns the configuration after a probe: an administrator who admits the node may change it. */
    private QuorumConfig agreedWith(QuarantineProbe probe) {
        return config == null || (probe.isAdmission() && !config.accepts(probe.config()))
                ? probe.config().alone()
                : config;
    }
}
