package io.holdfast.spring.leader;

import io.holdfast.Lease;
import io.holdfast.lease.Loss;
import io.holdfast.locks.LeaderElection;
import io.holdfast.spring.LockFactory;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import org.springframework.context.ApplicationEventPublisher;
import org.springframework.context.SmartLifecycle;

/**
 * Takes part in the election of a leader while the application runs. It starts with the application, as one of the last
 * beans, and stops as one of the first: it then passes the leadership on before the web server and the schedulers stop.
 *
 * <p>It publishes a {@link LeadershipGrantedEvent} when a term begins, and exactly one {@link LeadershipRevokedEvent}
 * when it ends. Work that runs from time to time needs no listener: {@link OnlyLeader}.
 *
 * <p>Thread-safe.
 */
public final class LeaderLifecycle implements SmartLifecycle {

    private static final String PREFIX = "leader:";

    private final String role;
    private final LockFactory locks;
    private final ApplicationEventPublisher publisher;
    private volatile @Nullable LeaderElection election;

    /**
     * Creates a candidate, which takes part when it is started.
     *
     * @param role the name of the role; the lock is {@code leader:} and this name
     */
    public LeaderLifecycle(String role, LockFactory locks, ApplicationEventPublisher publisher) {
        this.role = role;
        this.locks = locks;
        this.publisher = publisher;
    }

    /** Returns the name of the role. */
    public String role() {
        return role;
    }

    /** Returns the lease of the present term; empty if this process does not lead. Makes no round trip. */
    public Optional<Lease> leadership() {
        LeaderElection present = election;
        return present == null ? Optional.empty() : present.leadership();
    }

    /** Returns {@code true} if this process leads at this moment. Makes no round trip. */
    public boolean isLeader() {
        return leadership().isPresent();
    }

    /**
     * Ends the present term and takes part again, behind the other candidates. Has no effect on a process that does not
     * lead.
     */
    public void resign() {
        LeaderElection present = election;
        if (present != null) {
            present.resign();
        }
    }

    /** Takes part in the election. Does not wait for its result. */
    @Override
    public synchronized void start() {
        if (election == null) {
            election = LeaderElection.start(locks.lock(PREFIX + role), new Publisher());
        }
    }

    /**
     * Ends the part in the election. A leader's {@link LeadershipRevokedEvent} is published on this thread, before the
     * lock is released. Returns at once if another thread is stopping.
     */
    @Override
    public void stop() {
        LeaderElection ended = withdraw();
        if (ended != null) {
            ended.close();
        }
    }

    private synchronized @Nullable LeaderElection withdraw() {
        LeaderElection present = election;
        election = null;
        return present;
    }

    @Override
    public boolean isRunning() {
        return election != null;
    }

    /** Publishes the changes of one term. */
    private final class Publisher implements LeaderElection.Candidate {

        @Override
        public void elected(Lease lease) {
            publisher.publishEvent(new LeadershipGrantedEvent(role, lease));
        }

        @Override
        public void resigned(Lease lease) {
            publisher.publishEvent(new LeadershipRevokedEvent(role, null));
        }

        @Override
        public void deposed(Loss loss) {
            publisher.publishEvent(new LeadershipRevokedEvent(role, loss));
        }
    }
}
