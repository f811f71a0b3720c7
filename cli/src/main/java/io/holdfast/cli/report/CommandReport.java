package io.holdfast.cli.report;

import java.time.Duration;
import java.time.Instant;
import java.util.Locale;
import java.util.Optional;

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
 * @param success when the command succeeded last, as far as this run knows; empty if it knows nothing
 */
public record CommandReport(
        String lock,
        String fence,
        Outcome outcome,
        int exitCode,
        long startMillis,
        Duration duration,
        Duration waited,
        Optional<Instant> success) {

    /** The state of a run, or the reason of its end. */
    public enum Outcome {
        /** The command runs. */
        RUNNING,
        /** The command ended with 0. */
        SUCCESS,
        /** The command ended with another code, or cannot be run. */
        FAILURE,
        /** Holdfast failed; for hooks a failure as well. */
        ERROR,
        /** The lock was lost while the command ran. */
        LOST,
        /** The command ran for too long. */
        TIMEOUT,
        /** Too few servers could be used, so the command did not run. */
        UNREACHABLE,
        /** Another client held the lock, so the command did not run. */
        HELD,
        /** The command has succeeded in its period, so it did not run again. */
        SKIPPED,
        /** A signal ended the wait for the lock. */
        INTERRUPTED;

        /** Returns how a command ended. */
        public static Outcome of(boolean wasLost, boolean hasTimedOut, int exitCode) {
            if (wasLost) {
                return LOST;
            }
            return hasTimedOut ? TIMEOUT : exitCode == 0 ? SUCCESS : FAILURE;
        }

        /** Returns the word for hooks and the system log. */
        String word() {
            return (this == ERROR ? FAILURE : this).name().toLowerCase(Locale.ROOT);
        }
    }

    /** Returns the report of a command that begins now. */
    public static CommandReport started(String lock, String fence, Duration waited) {
        return new CommandReport(
                lock, fence, Outcome.RUNNING, 0, System.currentTimeMillis(), Duration.ZERO, waited, Optional.empty());
    }

    /** Returns the report of a command that did not run. */
    public static CommandReport notRun(String lock, Outcome reason, int exitCode, Duration waited) {
        return started(lock, "", waited).ended(reason, exitCode, Duration.ZERO);
    }

    /** Returns the report of a command that did not run, because it succeeded in its period. */
    public static CommandReport skipped(String lock, Instant success) {
        return new CommandReport(
                lock,
                "",
                Outcome.SKIPPED,
                0,
                System.currentTimeMillis(),
                Duration.ZERO,
                Duration.ZERO,
                Optional.of(success));
    }

    /** Returns the names of the locks for a message. */
    public String locks() {
        return lock.replace("\n", "', '");
    }

    /** Returns this report after the end of the command. */
    public CommandReport ended(Outcome how, int code, Duration ran) {
        Instant end = Instant.ofEpochMilli(startMillis).plus(ran);
        return new CommandReport(
                lock,
                fence,
                how,
                code,
                startMillis,
                ran,
                waited,
                Optional.of(end).filter(time -> how == Outcome.SUCCESS));
    }
}
