package io.holdfast.stress.operation;

import io.holdfast.Lease;
import io.holdfast.lease.LeaseState;
import io.holdfast.lease.ReleaseOutcome;
import io.holdfast.stress.client.BackgroundThreads;
import io.holdfast.stress.client.Client;
import io.holdfast.stress.client.Clients;
import io.holdfast.stress.witness.Findings;
import io.holdfast.stress.witness.Kind;
import io.holdfast.stress.witness.ObservedHold;
import io.holdfast.stress.witness.PauseDetector;
import io.holdfast.stress.witness.Witness;
import java.time.Duration;
import java.util.Random;
import java.util.concurrent.locks.LockSupport;
import java.util.function.LongSupplier;

/**
 * The context of an operation: the number and the random numbers of its thread, the clients, and the witness.
 *
 * @param worker the number of the thread
 * @param random the random numbers of the thread
 * @param clients all clients of the run
 * @param witness observes the holds of all threads
 * @param findings receives what contradicts a promise
 * @param pauseDetector measures the pauses of the process
 * @param background the threads that operations start
 */
public record OperationContext(
        int worker,
        Random random,
        Clients clients,
        Witness witness,
        Findings findings,
        PauseDetector pauseDetector,
        BackgroundThreads background) {

    private static final int ONE_LONG_HOLD_IN = 40;
    private static final int SHORT_HOLD_MICROS = 1_500;
    private static final int LONG_HOLD_MICROS = 25_000;

    public boolean oneIn(int bound) {
        return random.nextInt(bound) == 0;
    }

    public Duration upToMillis(int bound) {
        return Duration.ofMillis(random.nextInt(bound));
    }

    public Client client() {
        return clients.any(random);
    }

    public void report(Kind kind, String what) {
        findings.add(kind, what);
    }

    public long floor(String resource) {
        return witness.floor(resource);
    }

    /**
     * Returns a function for the time until which a holder may rely on its lease. The clock is read first, so a pause
     * shortens the result.
     */
    public static LongSupplier validity(Lease lease) {
        return () -> {
            long now = System.nanoTime();
            return now + lease.remaining().toNanos();
        };
    }

    public ObservedHold enter(Lease lease, long floor) {
        return witness.enter(lease.resource(), lease.fencingToken().value(), floor, lease.isShared(), validity(lease));
    }

    /** Waits for a random time up to the limit. An interrupt ends it. */
    public void pause(int boundMicros) {
        LockSupport.parkNanos(1_000L * random.nextInt(boundMicros));
    }

    /** Waits as long as holders usually do: mostly far less than a round trip takes, sometimes long. */
    public void work() {
        pause(oneIn(ONE_LONG_HOLD_IN) ? LONG_HOLD_MICROS : SHORT_HOLD_MICROS);
    }

    /** Enters with a new lease, holds it, leaves and releases it. */
    public void hold(Client client, Lease lease, long floor) {
        ObservedHold hold = enter(lease, floor);
        work();
        release(client, lease, hold);
    }

    /** Leaves and releases a lease that no other client is attached to. */
    public void release(Client client, Lease lease, ObservedHold hold) {
        requireNotReleased(lease);
        hold.leave();
        long validUntil = validity(lease).getAsLong();
        ReleaseOutcome outcome = lease.release();
        if (outcome == ReleaseOutcome.RELEASED) {
            hold.released();
        }
        boolean valid = validUntil - System.nanoTime() > 0;
        if (outcome == ReleaseOutcome.NOT_HELD && valid && !client.isClosing()) {
            report(Kind.NOT_ON_NODES, hold.toString());
        }
    }

    public void requireNotReleased(Lease lease) {
        if (lease.state() == LeaseState.RELEASED) {
            report(Kind.RELEASED_WITHOUT_HOLDER, lease.toString());
        }
    }
}
