package io.holdfast.stress;

import io.holdfast.Lease;
import io.holdfast.lease.LeaseState;
import io.holdfast.lease.ReleaseOutcome;
import io.holdfast.stress.witness.Findings;
import io.holdfast.stress.witness.Kind;
import io.holdfast.stress.witness.Pulse;
import io.holdfast.stress.witness.Stay;
import io.holdfast.stress.witness.Witness;
import java.time.Duration;
import java.util.Random;
import java.util.concurrent.locks.LockSupport;
import java.util.function.LongSupplier;

/** What an operation has at hand: its thread's number and random numbers, the clients, and the witness. */
final class Scene {

    private static final int ONE_LONG_STAY_IN = 40;
    private static final int SHORT_STAY_MICROS = 1_500;
    private static final int LONG_STAY_MICROS = 25_000;

    private final int worker;
    private final Random random;
    private final Clients clients;
    private final Witness witness;
    private final Findings findings;
    private final Pulse pulse;
    private final Bell bell;

    Scene(int worker, Random random, Clients clients, Witness witness, Findings findings, Pulse pulse, Bell bell) {
        this.worker = worker;
        this.random = random;
        this.clients = clients;
        this.witness = witness;
        this.findings = findings;
        this.pulse = pulse;
        this.bell = bell;
    }

    int worker() {
        return worker;
    }

    Random random() {
        return random;
    }

    boolean oneIn(int bound) {
        return random.nextInt(bound) == 0;
    }

    Duration upToMillis(int bound) {
        return Duration.ofMillis(random.nextInt(bound));
    }

    Client client() {
        return clients.any(random);
    }

    Clients clients() {
        return clients;
    }

    Witness witness() {
        return witness;
    }

    Pulse pulse() {
        return pulse;
    }

    Bell bell() {
        return bell;
    }

    void report(Kind kind, String what) {
        findings.add(kind, what);
    }

    long floor(String resource) {
        return witness.floor(resource);
    }

    /** Until when a holder may rely on its lease, by its own account; the clock is read first, so that a pause makes it shorter. */
    static LongSupplier validity(Lease lease) {
        return () -> {
            long now = System.nanoTime();
            return now + lease.remaining().toNanos();
        };
    }

    Stay enter(Lease lease, long floor) {
        return witness.enter(lease.resource(), lease.fencingToken().value(), floor, lease.isShared(), validity(lease));
    }

    /** Waits for a random time of up to so many microseconds. An interrupt ends it. */
    void pause(int boundMicros) {
        LockSupport.parkNanos(1_000L * random.nextInt(boundMicros));
    }

    /** As long as holders usually stay: mostly far less than a round trip takes, sometimes long. */
    void work() {
        pause(oneIn(ONE_LONG_STAY_IN) ? LONG_STAY_MICROS : SHORT_STAY_MICROS);
    }

    /** Enters with a lease that is new, stays, leaves and releases it. */
    void stay(Client client, Lease lease, long floor) {
        Stay stay = enter(lease, floor);
        work();
        release(client, lease, stay);
    }

    /** Leaves and releases a lease that nobody else has a handle of. */
    void release(Client client, Lease lease, Stay stay) {
        requireNotReleased(lease);
        stay.leave();
        long validUntil = validity(lease).getAsLong();
        ReleaseOutcome outcome = lease.release();
        if (outcome == ReleaseOutcome.RELEASED) {
            stay.released();
        }
        boolean valid = validUntil - System.nanoTime() > 0;
        if (outcome == ReleaseOutcome.NOT_HELD && valid && !client.isClosing()) {
            report(Kind.NOT_ON_NODES, stay.toString());
        }
    }

    void requireNotReleased(Lease lease) {
        if (lease.state() == LeaseState.RELEASED) {
            report(Kind.RELEASED_BY_NOBODY, lease.toString());
        }
    }
}
