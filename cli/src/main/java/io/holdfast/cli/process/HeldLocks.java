package io.holdfast.cli.process;

import io.holdfast.cli.exit.ExitCode;
import io.holdfast.cli.exit.Failure;
import io.holdfast.cli.lock.LockChoice;
import java.util.List;

/**
 * The locks of the enclosing {@code holdfast run} commands. A command finds them in its environment, one per line: the
 * servers, the process that holds the lock, the start of that process, and the name.
 */
public final class HeldLocks {

    private static final String VARIABLE = "HOLDFAST_HELD";
    private static final int FIELDS = 4;

    private HeldLocks() {}

    /**
     * Rejects a lock that an enclosing command holds: the inner command would wait for the outer one forever. If both
     * share the lock, it would do so once a client that wants it exclusively waits between them. A program that
     * outlives the enclosing command, such as a daemon, may acquire the lock. So may a command for which a slot is
     * left.
     *
     * @param servers the fingerprint of the servers, without spaces
     */
    public static void requireNotHeld(LockChoice choice, String servers) {
        List<String> held = choice.resources().stream()
                .filter(name -> isHeld(name, servers))
                .toList();
        if (choice.slots() == 0 ? !held.isEmpty() : held.size() == choice.slots()) {
            String name = held.get(0);
            throw new Failure(
                    ExitCode.USAGE,
                    "'" + name
                            + "' is held by the enclosing `holdfast run`, so this one "
                            + (choice.isShared() ? "could wait forever, behind a run without -s" : "would wait forever")
                            + "; omit the inner one, or use another name");
        }
    }

    private static boolean isHeld(String name, String servers) {
        return System.getenv()
                .getOrDefault(VARIABLE, "")
                .lines()
                .anyMatch(line -> isHeld(line.split(" ", FIELDS), name, servers));
    }

    private static boolean isHeld(String[] fields, String name, String servers) {
        return fields.length == FIELDS
                && fields[0].equals(servers)
                && fields[3].equals(name)
                && fields[2].equals(start(Long.parseLong(fields[1])));
    }

    /** Describes the locks of this process; the launcher adds the names. */
    public static String describe(String servers) {
        return servers + " " + Launcher.pid() + " " + start(Launcher.pid());
    }

    private static String start(long pid) {
        return ProcessStat.of(pid)
                .map(process -> Long.toString(process.start()))
                .orElse("ended");
    }
}
