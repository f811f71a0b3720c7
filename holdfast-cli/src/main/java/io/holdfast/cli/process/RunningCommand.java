package io.holdfast.cli.process;

import io.holdfast.time.Durations;
import java.io.IOException;
import java.time.Duration;
import java.util.Comparator;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * The processes of the user's command, which the launcher has started.
 *
 * <p>Without a terminal, the command leads a process group. At a terminal it shares the group of its caller, and its
 * processes are its descendants and those in the same session whose environment contains the owner of the lock: a
 * process whose parent has ended is no descendant any more.
 */
public final class RunningCommand {

    /** The variable by which the processes of a command are found. */
    private static final String OWNER_VARIABLE = "HOLDFAST_OWNER=";

    private static final Duration FIRST_PAUSE = Duration.ofMillis(10);
    private static final Duration LONGEST_PAUSE = Duration.ofMillis(500);

    private final long pid;
    private final boolean isGroup;
    private final long group;
    private final long session;
    private final String owner;

    /** The processes that were found before, with the times of their starts. */
    private final Map<Long, Long> known = new HashMap<>();

    private volatile boolean hasEnded;

    RunningCommand(long pid, boolean isGroup, long session, String owner) {
        this.pid = pid;
        this.isGroup = isGroup;
        this.session = session;
        this.owner = owner;
        Optional<ProcessStat> process = ProcessStat.of(pid);
        process.ifPresent(first -> known.put(pid, first.start()));
        this.group = isGroup ? pid : process.map(ProcessStat::group).orElse(pid);
    }

    /** Returns the words that identify the processes to the watchdog. */
    String description() {
        return (isGroup ? "group " : "tree ") + pid + " " + session + " " + owner;
    }

    /**
     * Sends a signal such as {@code TERM} to all processes of the command. At a terminal that is not one step, so a
     * process may start another before it ends; the signal then goes to those that such a process left behind.
     */
    void signal(String name) {
        if (hasEnded) {
            return;
        }
        Set<Long> signalled = new HashSet<>();
        List<Long> targets = parentsFirst();
        String groups = isGroup ? "-" + pid + " " : "";
        do {
            send(name, groups, targets);
            signalled.addAll(targets);
            targets = isGroup ? List.of() : leftBehind(signalled);
        } while (!targets.isEmpty());
    }

    private void send(String name, String groups, List<Long> processes) {
        String targets = processes.stream().map(String::valueOf).collect(Collectors.joining(" ", groups, ""));
        try {
            // Java itself sends no other signals than TERM and KILL, and none to a group.
            new ProcessBuilder("sh", "-c", "kill -" + name + " " + targets)
                    .redirectError(ProcessBuilder.Redirect.DISCARD)
                    .start()
                    .waitFor();
        } catch (IOException | OutOfMemoryError noProcess) {
            processes.forEach(process -> ProcessHandle.of(process).ifPresent(handle -> destroy(handle, name)));
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    /** Sends a signal that ends a process, without the help of another process. Other signals are lost. */
    private static void destroy(ProcessHandle process, String name) {
        switch (name) {
            case "KILL" -> process.destroyForcibly();
            case "HUP", "INT", "QUIT", "TERM" -> process.destroy();
            default -> {}
        }
    }

    /** Returns the processes of the command; a process starts before its children. */
    private List<Long> parentsFirst() {
        return ownStats()
                .sorted(Comparator.comparingLong(ProcessStat::start).thenComparingLong(ProcessStat::pid))
                .map(ProcessStat::pid)
                .toList();
    }

    /** Returns the processes of the command that did not receive the signal, and whose parents have ended. */
    private List<Long> leftBehind(Set<Long> signalled) {
        Map<Long, Long> parents = ownStats().collect(Collectors.toMap(ProcessStat::pid, ProcessStat::parent));
        return parents.keySet().stream()
                .filter(process -> !signalled.contains(process) && !parents.containsKey(parents.get(process)))
                .toList();
    }

    private Stream<ProcessStat> ownStats() {
        List<ProcessStat> all = ProcessStat.all();
        Set<Long> own = own(all);
        return all.stream().filter(process -> own.contains(process.pid()));
    }

    /** Asks all processes of the command to end, also those that are stopped. */
    void terminate() {
        signal("TERM");
        signal("CONT");
    }

    /** Returns those of all processes that are of the command, and their descendants in other groups. */
    private synchronized Set<Long> own(List<ProcessStat> all) {
        Set<Long> found = new HashSet<>();
        all.stream().filter(this::isOwn).forEach(process -> found.add(process.pid()));
        boolean isComplete = false;
        while (!isComplete) {
            isComplete = true;
            for (ProcessStat process : all) {
                if (found.contains(process.parent()) && found.add(process.pid())) {
                    isComplete = false;
                }
            }
        }
        all.stream()
                .filter(process -> found.contains(process.pid()))
                .forEach(process -> known.put(process.pid(), process.start()));
        return found;
    }

    private boolean isOwn(ProcessStat process) {
        Long start = known.get(process.pid());
        if (start != null && start == process.start()) {
            return true;
        }
        return isGroup ? process.group() == pid : process.session() == session && hasOwner(process);
    }

    private boolean hasOwner(ProcessStat process) {
        return process.hasInEnvironment(OWNER_VARIABLE + owner);
    }

    /** Waits until no process is left in the group of the command, at most for this time; returns whether none is. */
    boolean awaitEnd(Duration limit) throws InterruptedException {
        long start = System.nanoTime();
        Duration pause = FIRST_PAUSE;
        while (hasRest()) {
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

    /** Returns whether processes of the command run that have not left its group, as a daemon does. */
    boolean hasRest() {
        List<ProcessStat> all = ProcessStat.all();
        Set<Long> own = own(all);
        return all.stream().anyMatch(process -> process.group() == group && own.contains(process.pid()));
    }

    /** Records that no process is left, so that no signal reaches a later process with the same id. */
    public void markEnded() {
        hasEnded = true;
    }
}
