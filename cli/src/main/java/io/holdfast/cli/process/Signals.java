package io.holdfast.cli.process;

import io.holdfast.cli.exit.ExitCode;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * The signals that this process receives, and those that the launcher reports. Before the command runs, a terminating
 * signal ends the wait; while the command runs, all signals are forwarded to it.
 */
public final class Signals {

    private static final Map<String, Integer> TERMINATING = Map.of("HUP", 1, "INT", 2, "QUIT", 3, "TERM", 15);
    private static final List<String> HANDLED = List.of("HUP", "INT", "TERM", "USR1", "USR2", "WINCH");

    private final Thread waiter;
    private boolean isWaiting;
    private @Nullable String received;
    private @Nullable CommandProcesses command;
    private int interrupts;

    private Signals(Thread waiter) {
        this.waiter = waiter;
    }

    /**
     * Installs the handlers. Up to {@link #interruptWaits}, a terminating signal ends this process, since nothing is
     * held; then it interrupts the calling thread.
     */
    public static Signals handle() {
        Signals signals = new Signals(Thread.currentThread());
        HANDLED.forEach(name -> SignalPort.handle(name, () -> signals.receive(name)));
        return signals;
    }

    /** Forwards the signal, or ends the wait. */
    synchronized void receive(String name) {
        if (command != null) {
            command.signal(escalated(name));
        } else {
            endWait(name);
        }
    }

    /** Ends the wait for a terminating signal; has no effect while the command runs. */
    synchronized void endWait(String name) {
        if (command == null && TERMINATING.containsKey(name)) {
            received = name;
            if (!isWaiting) {
                Runtime.getRuntime().halt(Launcher.exit(exitCode()));
            }
            waiter.interrupt();
        }
    }

    /** Makes terminating signals interrupt the thread, which is about to acquire something or to run hooks. */
    public synchronized void interruptWaits() {
        isWaiting = true;
    }

    /** Makes repeated Ctrl-C more forceful: INT, then TERM, then KILL. */
    private String escalated(String name) {
        if (!name.equals("INT")) {
            return name;
        }
        interrupts++;
        return interrupts == 1 ? "INT" : interrupts == 2 ? "TERM" : "KILL";
    }

    /** Forwards further signals to the command, which has not started yet. */
    public synchronized void forwardTo(CommandProcesses newCommand) throws InterruptedException {
        if (received != null) {
            throw new InterruptedException(received);
        }
        isWaiting = true;
        command = newCommand;
    }

    /** Returns the terminating signal that a shell reports by this exit code, or TERM for another one. */
    static String ofExitCode(int code) {
        return TERMINATING.entrySet().stream()
                .filter(signal -> ExitCode.SIGNAL + signal.getValue() == code)
                .map(Map.Entry::getKey)
                .findFirst()
                .orElse("TERM");
    }

    /** Stops forwarding after the command has ended, so that terminating signals end later waits. */
    public synchronized void stopForwarding() {
        command = null;
    }

    /** Returns the exit code after an interrupted wait: 128 + n for signal n, or 125, since nothing else interrupts. */
    public synchronized int exitCode() {
        Integer number = received == null ? null : TERMINATING.get(received);
        return number == null ? ExitCode.INTERNAL : ExitCode.SIGNAL + number;
    }
}
