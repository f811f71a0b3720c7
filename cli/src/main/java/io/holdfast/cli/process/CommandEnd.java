package io.holdfast.cli.process;

import io.holdfast.LeaseLostException;
import io.holdfast.cli.exit.ExitCode;
import io.holdfast.cli.lock.JointLease;
import io.holdfast.cli.output.Terminal;
import io.holdfast.lease.LeaseState;
import io.holdfast.lease.ReleaseOutcome;
import io.holdfast.time.ThreadWait;
import java.time.Duration;

/** The end of a run: no process of the command is left, and then the lock is released. Not thread-safe. */
public final class CommandEnd {

    private final JointLease lease;
    private final CommandProcesses command;
    private final LossGuard guard;
    private final Terminal terminal;
    private boolean wasLost;

    public CommandEnd(JointLease lease, CommandProcesses command, LossGuard guard, Terminal terminal) {
        this.lease = lease;
        this.command = command;
        this.guard = guard;
        this.terminal = terminal;
    }

    /**
     * Waits until no process of the command is left, or the lock is lost. A job that leaves processes in the background
     * is not finished, so the lock is held for them, as flock does.
     */
    public void awaitRest() throws InterruptedException {
        if (command.awaitEnd(Duration.ZERO)) {
            return;
        }
        terminal.hint("the command has ended, but processes that it started run; the lock is held until they end");
        holdForRest();
    }

    private void holdForRest() throws InterruptedException {
        while (!command.awaitEnd(CommandProcesses.REST_PAUSE)) {
            if (lease.state() == LeaseState.LOST) {
                // No signal reaches a command that is marked as ended, and the reaction ends with KILL.
                guard.awaitReaction();
                return;
            }
        }
    }

    /** Ends a command whose launcher was killed, so that its exit code would reach no one. */
    public void endOrphan() throws InterruptedException {
        terminal.print("the shell that runs the command was killed; ending the command, then releasing '"
                + lease.resource() + "'");
        if (!end()) {
            holdForRest();
        }
    }

    /** Returns whether no process of the command is left. */
    private boolean end() throws InterruptedException {
        Duration remaining = lease.remaining();
        command.terminate();
        if (command.awaitEnd(remaining)) {
            return true;
        }
        command.signal("KILL");
        return command.awaitEnd(CommandProcesses.REST_PAUSE);
    }

    /**
     * Ends the command because this process fails. Halts if that is impossible, so that the lock stays until its lease
     * ends; an orderly exit would release it while the command runs.
     */
    public void endCommand() {
        boolean isOver = false;
        try {
            isOver = end();
        } catch (InterruptedException | RuntimeException | Error unable) {
            terminal.detail("the command cannot be ended: " + unable);
        }
        if (!isOver) {
            Runtime.getRuntime().halt(ExitCode.INTERNAL);
        }
    }

    /**
     * Holds the lock for this time after the command has ended, unless it is lost or a signal arrives. A loss during
     * this time does not concern the command.
     */
    public void holdFor(Duration duration, Duration leaseTime) {
        if (!duration.isNegative() && !duration.isZero() && isConfirmed(leaseTime)) {
            guard.end();
            terminal.detail("the command has ended; the lock is held for another " + duration.toMillis() + " ms");
            try {
                if (!ThreadWait.park(lease.lossFuture(), duration)) {
                    terminal.detail("the lock was held for the minimum time");
                }
            } catch (InterruptedException signalled) {
                terminal.detail("the lock is released early because of a signal");
            }
        }
    }

    /** Returns whether the lock is held, as far as the servers answer: it may have been broken a moment ago. */
    private boolean isConfirmed(Duration leaseTime) {
        try {
            lease.extend(leaseTime);
        } catch (LeaseLostException noticed) {
            return false;
        }
        return lease.state() != LeaseState.LOST;
    }

    private boolean isLost() {
        return !guard.hasEnded() && lease.state() == LeaseState.LOST;
    }

    /** Returns the exit code unless {@link #release} finds that the lock was lost before the command ended. */
    public int expectedCode(int commandCode, int lostCode) {
        return isLost() ? guard.exitCode(commandCode, lostCode) : commandCode;
    }

    /** Returns whether {@link #release} has found that the lock was lost before the command ended. */
    public boolean wasLost() {
        return wasLost;
    }

    /**
     * Releases the lock after the command has ended. Returns the exit code: the command's, or this one for a lost lock.
     */
    public int release(int commandCode, int lostCode) {
        if (isLost()) {
            wasLost = true;
            guard.awaitReaction();
            lease.release();
            return guard.exitCode(commandCode, lostCode);
        }
        ReleaseOutcome outcome = lease.release();
        terminal.detail("the command ended with " + commandCode + "; the lock " + describe(outcome));
        if (guard.hasEnded() || outcome != ReleaseOutcome.NOT_HELD) {
            return commandCode;
        }
        wasLost = true;
        terminal.print("the lock on '" + lease.resource()
                + "' was gone before the command ended: another client removed it, or the servers lost their data");
        return guard.exitCode(commandCode, lostCode);
    }

    private static String describe(ReleaseOutcome outcome) {
        return switch (outcome) {
            case RELEASED -> "is released";
            case NOT_HELD -> "was not held any more";
            case UNCONFIRMED -> "is released as far as the servers answer";
        };
    }
}
