package io.holdfast;

import io.holdfast.lease.Loss;
import io.holdfast.lease.LossReason;
import io.holdfast.quarantine.QuarantineEvent;
import io.holdfast.time.Time;
import java.lang.System.Logger.Level;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.concurrent.Executor;
import java.util.stream.Collectors;

/**
 * The log of one client. Nodes whose quarantines begin together are logged in one sentence.
 *
 * <p>Thread-safe; no method blocks.
 */
final class ClientLog {

    private static final Duration TOGETHER = Duration.ofMillis(100);

    private final Time time;
    /** Never throws, so that a shortage of threads harms no lock. */
    private final Executor background;

    private final List<QuarantineEvent> begun = new ArrayList<>();

    ClientLog(Time time) {
        this.time = time;
        this.background = new CallbackRunner(null, time);
    }

    /** Logs what a user should know about the configuration, once. */
    static void started(int nodes, HoldfastOptions options) {
        if (nodes % 2 == 0) {
            write(
                    Level.WARNING,
                    "An even number of nodes: " + nodes + " survive no more failures than " + (nodes - 1) + " do; use "
                            + (nodes - 1) + " or " + (nodes + 1));
        }
        if (options.restarts() == RestartPolicy.UNSAFE_IMMEDIATE && nodes > 1) {
            write(
                    Level.WARNING,
                    "Restarted nodes vote at once: after a restart two holders are possible, so use this for development"
                            + " only");
        }
    }

    /** Logs a callback that threw, which has no other effect. */
    static void failed(Throwable failure) {
        System.getLogger(Holdfast.class.getName()).log(Level.ERROR, "A callback failed", failure);
    }

    void lost(Loss loss) {
        Level level = loss.reason() == LossReason.CLOSED ? Level.DEBUG : Level.WARNING;
        background.execute(() -> write(level, loss.toString()));
    }

    /** Logs that a listener is so slow that it loses events. */
    static void slowListener(int limit) {
        write(Level.WARNING, "A listener is " + limit + " events behind, and loses events until it has caught up");
    }

    void quarantined(QuarantineEvent event) {
        if (event.isOver()) {
            background.execute(() -> write(Level.INFO, event.toString()));
            return;
        }
        synchronized (begun) {
            begun.add(event);
            if (begun.size() == 1) {
                time.schedule(TOGETHER, this::logBegun);
            }
        }
    }

    private void logBegun() {
        List<QuarantineEvent> all;
        synchronized (begun) {
            all = List.copyOf(begun);
            begun.clear();
        }
        background.execute(() -> write(Level.WARNING, sentence(all)));
    }

    static String sentence(List<QuarantineEvent> all) {
        String names = all.stream().map(QuarantineEvent::node).sorted().collect(Collectors.joining(", "));
        Duration longest = all.stream()
                .map(QuarantineEvent::timeLeft)
                .max(Comparator.naturalOrder())
                .orElse(Duration.ZERO);
        return names + (all.size() == 1 ? " was" : " were")
                + " restarted, or never used before, and may have forgotten which locks are held: no vote for "
                + (longest.toMillis() + 999) / 1_000
                + " s; `holdfast admit` ends the quarantine of servers that never held a lock";
    }

    /** The logger is looked up here, when it is needed: to start the platform's logging takes longer than to take a lock. */
    private static void write(Level level, String message) {
        System.getLogger(Holdfast.class.getName()).log(level, message);
    }
}
