package io.holdfast.cli.process;

import io.holdfast.cli.ExitCode;
import java.util.List;
import java.util.Map;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * The signals that this process gets: before the child runs, the ending ones end the wait; after that all of them go to
 * the child.
 */
public final class Signals {

    private static final Map<String, Integer> ENDING = Map.of("HUP", 1, "INT", 2, "TERM", 15);
    private static final List<String> OTHERS = List.of("USR1", "USR2", "WINCH");

    private final Thread waiter;
    private @Nullable String ending;
    private @Nullable Child child;
    private int interrupts;

    private Signals(Thread waiter) {
        this.waiter = waiter;
    }

    /** From now on; an ending signal interrupts this thread. */
    public static Signals handle() {
        Signals signals = new Signals(Thread.currentThread());
        ENDING.keySet().forEach(name -> SignalPort.handle(name, () -> signals.got(name)));
        OTHERS.forEach(name -> SignalPort.handle(name, () -> signals.got(name)));
        return signals;
    }

    private synchronized void got(String name) {
        if (child != null) {
            child.signal(escalated(name));
        } else if (ENDING.containsKey(name)) {
            ending = name;
            waiter.interrupt();
        }
    }

    /** Who presses Ctrl-C again and again means it: INT, then TERM, then KILL. */
    private String escalated(String name) {
        if (!name.equals("INT")) {
            return name;
        }
        interrupts++;
        return interrupts == 1 ? "INT" : interrupts == 2 ? "TERM" : "KILL";
    }

    /** The child has ended: the ending signals end what is waited for after it. */
    public synchronized void endWaitsAgain() {
        child = null;
    }

    /**
     * Starts the child. A signal that comes meanwhile waits until there is somebody to get it, and one that ended the wait a moment ago
     * goes to the child as well.
     */
    public synchronized Child start(Supplier<Child> starter) {
        Child started = starter.get();
        child = started;
        if (ending != null) {
            started.signal(ending);
        }
        return started;
    }

    /** The exit code if a signal has ended the wait, else 125: nobody else interrupts. */
    public synchronized int exitCode() {
        Integer number = ending == null ? null : ENDING.get(ending);
        return number == null ? ExitCode.INTERNAL : ExitCode.SIGNAL + number;
    }
}
