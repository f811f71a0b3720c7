package io.holdfast.quorum;

import io.holdfast.event.Loss;
import io.holdfast.node.Claim;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Queue;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * All that one client holds. What is due for an extension at about the same time is asked for together, so that very many leases
 * cost the nodes few commands.
 *
 * <p>Thread-safe.
 */
public final class Holds {

    private static final Comparator<Hold> BY_CLAIM = Comparator.comparing(
                    (Hold hold) -> hold.claim().resource())
            .thenComparing(hold -> hold.claim().fence());

    private final Quorum quorum;
    private final Contenders contenders;
    private final Consumer<Loss> onLoss;
    private final Alarms alarms;
    private final ClockWatch clocks;
    private final Set<Hold> live = ConcurrentHashMap.newKeySet();
    private final Queue<Due> due = new ConcurrentLinkedQueue<>();
    private volatile boolean closed;

    private record Due(Renewal renewal, Claim extension) {}

    /**
     * Nothing held yet.
     *
     * @param onLoss told of every loss, on a thread that must not be blocked
     */
    public Holds(Quorum quorum, Contenders contenders, Consumer<Loss> onLoss) {
        this.quorum = quorum;
        this.contenders = contenders;
        this.onLoss = onLoss;
        this.alarms = new Alarms(quorum.time(), this::extendDue);
        this.clocks = new ClockWatch(quorum.time(), () -> !live.isEmpty(), this::resumeAfter);
    }

    /**
     * What was granted is held from now on; at once no longer, if this was closed.
     *
     * @param renewed whether it is extended again and again
     */
    public Hold begin(Result.Grant grant, Duration holdLimit, boolean renewed) {
        Hold hold = new Hold(this, grant, holdLimit);
        live.add(hold);
        clocks.start();
        hold.begin(renewed);
        if (closed) {
            hold.close();
        }
        return hold;
    }

    Quorum quorum() {
        return quorum;
    }

    Contenders contenders() {
        return contenders;
    }

    Alarms alarms() {
        return alarms;
    }

    /** It has been released or lost. */
    void ended(Hold hold, @Nullable Loss loss) {
        live.remove(hold);
        contenders.ended(hold.claim());
        if (loss != null) {
            onLoss.accept(loss);
        }
    }

    /** Asks for the extension when all that are due now have been collected. */
    void extendSoon(Renewal renewal, Claim extension) {
        due.add(new Due(renewal, extension));
    }

    /** After a time in which no timer ran: losses are reported now, and what should have been extended is asked for. */
    private void resumeAfter(Duration suspended) {
        live.forEach(hold -> hold.resumeAfter(suspended));
        extendDue();
    }

    private void extendDue() {
        Map<Duration, List<Due>> groups = new LinkedHashMap<>();
        for (Due next = due.poll(); next != null; next = due.poll()) {
            if (next.renewal().isWanted()) {
                groups.computeIfAbsent(next.renewal().answerLimit(), limit -> new ArrayList<>())
                        .add(next);
            }
        }
        groups.forEach(this::extendTogether);
    }

    private void extendTogether(Duration answerLimit, List<Due> together) {
        List<Claim> extensions = together.stream().map(Due::extension).toList();
        List<Round> rounds = quorum.askAll(extensions, answerLimit);
        for (int i = 0; i < rounds.size(); i++) {
            together.get(i).renewal().follow(rounds.get(i), extensions.get(i));
        }
    }

    /** Ends all holds, and those that begin later. */
    public void close() {
        closed = true;
        // In an order that does not depend on addresses of objects, so that a simulation can be repeated.
        live.stream().sorted(BY_CLAIM).forEach(Hold::close);
    }
}
