package io.holdfast.cli.process;

import io.holdfast.LeaseLostException;
import io.holdfast.cli.lock.JointLease;
import io.holdfast.time.Durations;
import java.time.Duration;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;

/**
 * Extends a lease every second, and a long one less often, so that its holder soon notices a lock that an administrator
 * has broken. Renewals alone notice it after up to a third of the lease.
 */
public final class FrequentExtensions implements AutoCloseable {

    private static final Duration SHORTEST_INTERVAL = Duration.ofSeconds(1);

    /**
     * Each extension is reported to the watchdog, which reads the reports once in a lease. More of them than this might
     * fill its pipe, which has a single page at worst.
     */
    private static final int MOST_PER_LEASE = 120;

    private final JointLease lease;
    private final Duration leaseTime;
    private final CountDownLatch closed = new CountDownLatch(1);

    private FrequentExtensions(JointLease lease, Duration leaseTime) {
        this.lease = lease;
        this.leaseTime = leaseTime;
    }

    /** Starts to extend a lease, each time by this time. */
    public static FrequentExtensions start(JointLease lease, Duration leaseTime) {
        FrequentExtensions extensions = new FrequentExtensions(lease, leaseTime);
        Thread thread = new Thread(extensions::run, "holdfast-extend");
        thread.setDaemon(true);
        thread.start();
        return extensions;
    }

    /** Returns the time between two extensions of a lease of this length. */
    static Duration interval(Duration leaseTime) {
        return Durations.longer(SHORTEST_INTERVAL, Durations.part(leaseTime, MOST_PER_LEASE));
    }

    private void run() {
        try {
            long millis = interval(leaseTime).toMillis();
            while (!closed.await(millis, TimeUnit.MILLISECONDS) && lease.isValid()) {
                // An extension that no majority confirms changes nothing: the renewals go on.
                lease.extend(leaseTime);
            }
        } catch (LeaseLostException noticed) {
            // The lease notifies its listeners.
        } catch (IllegalStateException clientClosed) {
            // Nothing is held any more.
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    /** Ends the extensions. */
    public void stop() {
        closed.countDown();
    }

    @Override
    public void close() {
        stop();
    }
}
