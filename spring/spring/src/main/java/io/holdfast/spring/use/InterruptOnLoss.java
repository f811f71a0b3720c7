package io.holdfast.spring.use;

import io.holdfast.Lease;
import io.holdfast.event.Registration;

/** Interrupts the thread that created it if the lease is lost, and not after {@link #end}. */
public final class InterruptOnLoss {

    private final Thread thread = Thread.currentThread();
    private final Registration registration;
    private boolean ended;
    private boolean interrupted;

    /** Begins to interrupt this thread if the lease is lost. */
    public InterruptOnLoss(Lease lease) {
        this.registration = lease.onLost(loss -> interrupt());
    }

    private synchronized void interrupt() {
        if (!ended) {
            interrupted = true;
            thread.interrupt();
        }
    }

    /** Ends the interrupts. Called by the same thread, whose interrupt flag is cleared if it was set here. */
    public synchronized void end() {
        ended = true;
        registration.close();
        if (interrupted) {
            Thread.interrupted();
        }
    }
}
