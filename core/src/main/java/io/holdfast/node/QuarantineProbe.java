package io.holdfast.node;

import io.holdfast.lease.FencingToken;
import io.holdfast.time.MachineReading;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/**
 * A probe of a node. If the node is in quarantine, the probe adds the time for which this client has observed it.
 * Several clients may take turns: the time of a client counts from the reply that made it the node's observer, until
 * another client takes over, so that no moment counts twice. A node without an observer accepts the client that probes
 * it.
 *
 * <p>Each probe has a name of its own, and adds its time only if the node knows the previous one as its observer. A
 * probe that arrives twice, or late, counts at most once.
 *
 * <p>Clients that end soon add nothing in this way. Therefore the node also keeps, for each machine, the first reading
 * of its clock in this quarantine. A later reading of the same machine shows the time in between, whichever process
 * reads.
 *
 * @param observer the name of this client's previous probe; the added time began with its reply
 * @param next the name of this probe
 * @param takeOver whether to become the observer in place of another client, which seems to have gone
 * @param observed the time since the last reply to this observer, by a clock that is never set
 * @param needed the time for which the node has to be observed in all; zero: an administrator says that it never held a
 *     lock
 * @param floor the greatest fence that the node may have forgotten; null: not known yet, so the node is not admitted.
 *     The floor counts only if the node knows the previous probe as its observer, or is in the quarantine of that
 *     name: only then was it learnt in this quarantine
 * @param config the configuration of this client
 * @param agreed which clients this node accepts after its quarantine, as the other nodes of the set know it, whatever
 *     it agreed on before: it may have been restored from an older copy. Null: not known, so its own agreement remains.
 *     In any case its mark gets a new text, so that no administrator who has read an earlier one changes the node
 * @param quarantine the name of the quarantine that the node has reported to this client; empty: none yet. A node that
 *     forgot again is in a quarantine of another name
 * @param clock a reading of the clock of this client's machine, taken after that report; null: none
 */
public record QuarantineProbe(
        String observer,
        String next,
        boolean takeOver,
        Duration observed,
        Duration needed,
        @Nullable FencingToken floor,
        QuorumConfig config,
        NodeStanding.@Nullable Agreed agreed,
        String quarantine,
        @Nullable MachineReading clock) {

    /** Creates a probe of a client that does not know the name of the quarantine. */
    public QuarantineProbe(
            String observer,
            String next,
            boolean takeOver,
            Duration observed,
            Duration needed,
            @Nullable FencingToken floor,
            QuorumConfig config) {
        this(observer, next, takeOver, observed, needed, floor, config, null, "", null);
    }

    /**
     * Returns {@code true} if the probe only reads, so that its name may be used again. It leaves no configuration at
     * the node: an administrator may examine nodes of other clients.
     */
    public boolean isReadOnly() {
        return observer.equals(next) && observed.isZero() && !takeOver && !isAdmission();
    }

    /** Returns {@code true} if an administrator says that the node has nothing to forget. */
    public boolean isAdmission() {
        return needed.isZero();
    }

    /** Returns a probe that reads the state of the node and changes nothing. */
    public static QuarantineProbe readOnly(String observer, QuorumConfig config) {
        return new QuarantineProbe(observer, observer, false, Duration.ZERO, config.quarantine(), null, config);
    }

    /**
     * Returns an administrator's statement that the node never held a lock, and may vote at once on fences above this
     * one.
     */
    public static QuarantineProbe admission(String admin, FencingToken floor, QuorumConfig config) {
        return new QuarantineProbe(admin, admin, true, Duration.ZERO, Duration.ZERO, floor, config);
    }
}
