package io.holdfast.cli.process;

import io.holdfast.cli.exit.ExitCode;
import java.util.List;
import java.util.Map;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * The signals that this process receives. Before the child runs, a terminating signal ends the wait; while the child
 * runs, all signals are forwarded to it.
 */
public final class Signals {

    private static final Map<String, Integer> TERMINATING = Map.of("HUP", 1, "INT", 2, "TERM", 15);
    private static final List<String> OTHERS = List.of("USR1", "USR2", "WINCH");

    private final Thread waiter;
    private @Nullable String received;
    private @Nullable Child child;
    private int interrupts;

    private Signals(Thread waiter) {
        this.waiter = waiter;
    }

    /** Installs the handlers. A terminating signal interrupts the calling thread. */
    public static Signals handle() {
        Signals signals = new Signals(Thread.currentThread());
        TERMINATING.keySet().forEach(name -> SignalPort.handle(name, () -> signals.receive(name)));
        OTHERS.forEach(name -> SignalPort.handle(name, () -> signals.receive(name)));
        return signals;
    }

    private synchronized void receive(String name) {
        if (child != null) {
            child.signal(escalated(name));
        } else if (TERMINATING.containsKey(name)) {
            received = name;
            waiter.interrupt();
        }
    }

    /** Makes repeated Ctrl-C more forceful: INT, then TERM, then KILL. */
    private String escalated(String name) {
        if (!name.equals("INT")) {
            return name;
        }
        interrupts++;
        return interrupts == 1 ? "INT" : interrupts == 2 ? "TERM" : "KILL";
    }

    /** Stops forwarding after the child has ended, so that terminating signals end later waits. */
    public synchronized void stopForwarding() {
        child = null;
    }

    /**
     * Starts the child. A signal that arrives meanwhile is forwarded after the start, as is a terminating signal that
     * arrived just before.
     */
    public synchronized Child start(Supplier<Child> starter) {
        Child started = starter.get();
        child = started;
        if (received != null) {
            started.signal(received);
        }
        return started;
    }

    /** Returns the exit code after an interrupted wait: 128 + n for signal n, or 125, since nothing else interrupts. */
    public synchronized int exitCode() {
        Integer number = received == null ? null : TERMINATING.get(received);
        return number == null ? ExitCode.INTERNAL : ExitCode.SIGNAL + number;
    }
}
