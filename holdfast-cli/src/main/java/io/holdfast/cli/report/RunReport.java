package io.holdfast.cli.report;

import java.time.Duration;
import java.util.Locale;

/**
 * The facts about a run. Immutable.
 *
 * @param lock the names of the locks, one per line
 * @param fence the fencing token; empty without a lock
 * @param outcome how the run ended
 * @param exitCode the exit code of Holdfast; 0 while the command runs
 * @param startMillis the wall-clock time at which the command began
 * @param duration the time for which the command ran
 * @param waited the time that passed before the lock was acquired
 */
public record RunReport(
        String lock,
        String fence,
        Outcome outcome,
        int exitCode,
        long startMillis,
        Duration duration,
        Duration waited) {

    /** The state of a run, or the reason of its end. */
    public enum Outcome {
        /** The command runs. */
        RUNNING,
        /** The command ended with 0. */
        SUCCESS,
        /** The command ended with another code. */
        FAILURE,
        /** The lock was lost while the command ran. */
        LOST,
        /** The command ran for too long. */
        TIMEOUT,
        /** Too few servers could be used, so the command did not run. */
        UNREACHABLE;

        /** Returns how a command ended. */
        public static Outcome of(boolean wasLost, boolean hasTimedOut, int exitCode) {
            if (wasLost) {
                return LOST;
            }
            return hasTimedOut ? TIMEOUT : exitCode == 0 ? SUCCESS : FAILURE;
        }

        /** Returns the word for hooks and the system log. */
        String word() {
            return name().toLowerCase(Locale.ROOT);
        }
    }

    /** Returns the report of a command that begins now. */
    public static RunReport started(String lock, String fence, Duration waited) {
        return new RunReport(lock, fence, Outcome.RUNNING, 0, System.currentTimeMillis(), Duration.ZERO, waited);
    }

    /** Returns the report of a command that could not run. */
    public static RunReport unreachable(String lock, int exitCode, Duration waited) {
        long now = System.currentTimeMillis();
        return new RunReport(lock, "", Outcome.UNREACHABLE, exitCode, now, Duration.ZERO, waited);
    }

    /** Returns the report of a run whose program cannot be run, for which no lock is acquired. */
    public static RunReport unrunnable(String lock, int exitCode) {
        return started(lock, "", Duration.ZERO).ended(Outcome.FAILURE, exitCode, Duration.ZERO);
    }

    /** Returns the names of the locks for a message. */
    String locks() {
        return lock.replace("\n", "', '");
    }

    /** Returns this report after the end of the command. */
    public RunReport ended(Outcome how, int code, Duration ran) {
        return new RunReport(lock, fence, how, code, startMillis, ran, waited);
    }
}
