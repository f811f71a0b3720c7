package io.holdfast.cli.process;

import io.holdfast.time.Durations;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.BooleanSupplier;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * The processes of the user's command, which the launcher has started.
 *
 * <p>Without a terminal, the command is the session that its first process begins. At a terminal it shares the session
 * of its caller, and its processes are those whose environment contains the owner of the lock, their descendants, and
 * the members of their groups. {@code lib/processes} finds the same for the watchdog.
 */
public final class CommandProcesses {

    /** The variable by which the processes of a command are found. */
    private static final String OWNER_VARIABLE = "HOLDFAST_OWNER=";

    /** The time after which a wait for the rest of the command checks the lock again. */
    static final Duration REST_PAUSE = Duration.ofSeconds(1);

    private static final Duration FIRST_PAUSE = Duration.ofMillis(10);
    private static final Duration LONGEST_PAUSE = Duration.ofMillis(500);

    private final long pid;
    private final long session;
    private final long callersGroup;
    private final String owner;
    private final String description;

    /** The processes that were found before, with the times of their starts. */
    private final Map<Long, Long> known = new HashMap<>();

    private volatile boolean hasEnded;

    /** True if the last search has seen all processes. Otherwise, as at a limit of open files, others may run. */
    private volatile boolean isComplete = true;

    /**
     * Creates the command that begins with this process.
     *
     * @param start when the process started, in ticks since the start of the machine
     * @param session the session of the command: its own if it has the id of the process
     * @param callersGroup the process group of the launcher, which the command may share with others
     */
    CommandProcesses(long pid, long start, long session, long callersGroup, String owner) {
        this.pid = pid;
        this.session = session;
        this.callersGroup = callersGroup;
        this.owner = owner;
        this.description = pid + " " + start + " " + session + " " + callersGroup + " " + owner;
        known.put(pid, start);
    }

    /** Returns the words that identify the processes to the watchdog. */
    String description() {
        return description;
    }

    /**
     * Sends a signal such as {@code TERM} to all processes of the command. That is not one step, so a process may start
     * another before it ends. KILL then goes to all of them, another signal to those that such a process left behind.
     */
    void signal(String name) {
        if (hasEnded) {
            return;
        }
        Set<Long> signalled = new HashSet<>();
        List<ProcessStat> targets = own();
        do {
            send(name, targets);
            targets.forEach(process -> signalled.add(process.pid()));
            targets = name.equals("KILL") ? others(own(), signalled) : leftBehind(own(), signalled);
        } while (!targets.isEmpty());
    }

    private void send(String name, List<ProcessStat> processes) {
        String targets = processes.stream().map(this::target).distinct().collect(Collectors.joining(" "));
        try {
            // Java itself sends no other signals than TERM and KILL, and none to a group.
            new ProcessBuilder("sh", "-c", "kill -" + name + " " + targets)
                    .redirectError(ProcessBuilder.Redirect.DISCARD)
                    .start()
                    .waitFor();
        } catch (IOException | OutOfMemoryError noProcess) {
            processes.forEach(process -> ProcessHandle.of(process.pid()).ifPresent(handle -> destroy(handle, name)));
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    /**
     * Returns the group of the process if all of it is of the command, else the process, as {@code kill} takes them.
     */
    private String target(ProcessStat process) {
        return hasOwnGroup(process) ? "-" + process.group() : String.valueOf(process.pid());
    }

    private boolean hasOwnGroup(ProcessStat process) {
        // `kill` takes -1 and -0 for something else.
        return process.group() != callersGroup && process.group() > 1;
    }

    /** Sends a signal that ends a process, without the help of another process. Other signals are lost. */
    private static void destroy(ProcessHandle process, String name) {
        switch (name) {
            case "KILL" -> process.destroyForcibly();
            case "HUP", "INT", "QUIT", "TERM" -> process.destroy();
            default -> {}
        }
    }

    private static List<ProcessStat> others(List<ProcessStat> own, Set<Long> signalled) {
        return own.stream()
                .filter(process -> !signalled.contains(process.pid()))
                .toList();
    }

    /** Returns the processes that did not receive the signal, and whose parents have ended. */
    private static List<ProcessStat> leftBehind(List<ProcessStat> own, Set<Long> signalled) {
        Set<Long> alive = own.stream().map(ProcessStat::pid).collect(Collectors.toSet());
        return others(own, signalled).stream()
                .filter(process -> !alive.contains(process.parent()))
                .toList();
    }

    /** Asks all processes of the command to end, also those that are stopped. */
    void terminate() {
        signal("TERM");
        signal("CONT");
    }

    /** Returns the processes of the command; a process starts before its children. */
    private synchronized List<ProcessStat> own() {
        List<ProcessStat> all = new ArrayList<>();
        isComplete = ProcessStat.addAllTo(all);
        Set<Long> found = new HashSet<>();
        Set<Long> groups = new HashSet<>();
        int before = -1;
        while (before < found.size()) {
            before = found.size();
            for (ProcessStat process : all) {
                boolean isOwn = found.contains(process.parent()) || groups.contains(process.group()) || isOwn(process);
                if (isOwn && found.add(process.pid()) && hasOwnGroup(process)) {
                    groups.add(process.group());
                }
            }
        }
        return all.stream()
                .filter(process -> found.contains(process.pid()))
                .peek(process -> known.put(process.pid(), process.start()))
                .sorted(Comparator.comparingLong(ProcessStat::start).thenComparingLong(ProcessStat::pid))
                .toList();
    }

    private boolean isOwn(ProcessStat process) {
        Long start = known.get(process.pid());
        if (start != null && start == process.start()) {
            return true;
        }
        return process.session() == session && (session == pid || process.hasInEnvironment(OWNER_VARIABLE + owner));
    }

    /** Waits until no process is left in the session of the command, at most for this time; returns whether none is. */
    boolean awaitEnd(Duration limit) throws InterruptedException {
        return awaitNone(this::hasRest, limit);
    }

    /** Waits in the same way until only the first process is left, which is the shell that repeats the command. */
    boolean awaitEndOfAttempt(Duration limit) throws InterruptedException {
        return awaitNone(() -> rest().anyMatch(process -> process.pid() != pid) || !isComplete, limit);
    }

    private static boolean awaitNone(BooleanSupplier isThereOne, Duration limit) throws InterruptedException {
        long start = System.nanoTime();
        Duration pause = FIRST_PAUSE;
        while (isThereOne.getAsBoolean()) {
            if (System.nanoTime() - start > limit.toNanos()) {
                return false;
            }
            Thread.sleep(pause.toMillis());
            pause = pause.compareTo(LONGEST_PAUSE) < 0 ? Durations.times(pause, 2) : pause;
        }
        return true;
    }

    /** Ends all processes of the command: TERM, then KILL after this time. */
    public void end(Duration grace) throws InterruptedException {
        terminate();
        if (!awaitEnd(grace)) {
            signal("KILL");
        }
    }

    /** Returns whether processes of the command run that have not left its session, as a daemon does. */
    boolean hasRest() {
        return rest().findAny().isPresent() || !isComplete;
    }

    private Stream<ProcessStat> rest() {
        return own().stream().filter(process -> process.session() == session);
    }

    /** Records that no process is left, so that no signal reaches a later process with the same id. */
    public void markEnded() {
        hasEnded = true;
    }
}
