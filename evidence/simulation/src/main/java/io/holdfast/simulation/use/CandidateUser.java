package io.holdfast.simulation.use;

import io.holdfast.DistributedLock;
import io.holdfast.Lease;
import io.holdfast.LockOptions;
import io.holdfast.lease.LeaseState;
import io.holdfast.lease.Loss;
import io.holdfast.locks.LeaderElection;
import io.holdfast.simulation.world.ObservedLease;
import io.holdfast.simulation.world.Property;
import java.time.Duration;
import java.util.random.RandomGenerator;
import org.jspecify.annotations.Nullable;

/** Takes part in an election; its callbacks return, throw, take their time, resign and close. */
final class CandidateUser extends User {

    /** The time by which a candidate must have learned of a loss, or must have resigned. */
    private static final Duration GRACE = Duration.ofSeconds(5);

    private @Nullable LeaderElection election;
    private @Nullable Term term;
    private boolean closing;

    /** One term of a leader. */
    private static final class Term {

        private final ObservedLease held;
        private final Lease lease;
        /** The user has begun to end the term, or has been notified of its end. */
        private boolean over;
        /** The candidate has been notified of the end. */
        private boolean notified;

        Term(ObservedLease held) {
            this.held = held;
            this.lease = held.lease();
        }
    }

    CandidateUser(Host host, Menu menu, RandomGenerator random) {
        super(host, menu, random);
    }

    @Override
    void act() {
        LeaderElection present = election;
        if (present == null) {
            LockOptions with =
                    menu.base().toBuilder().holdLimit(LockOptions.FOREVER).build();
            DistributedLock lock = host.holdfast().lock(Menu.ELECTION, with);
            // Other users act while the client of their host closes, which takes time.
            election = call(
                    "election", () -> LeaderElection.start(lock, new Candidate(with)), IllegalStateException.class);
            return;
        }
        switch (random.nextInt(16)) {
            case 0 -> resign();
            case 1 -> close();
            case 2 -> {
                boolean invalid =
                        present.leadership().filter(lease -> !lease.isValid()).isPresent();
                if (invalid || (present.isLeader() && present.leadership().isEmpty())) {
                    host.report(Property.ELECTION, present + " leads with a lease that is over");
                }
            }
            default -> {}
        }
    }

    private void resign() {
        LeaderElection present = election;
        if (present != null && host.mayBlock()) {
            endTerm();
            block("resign", done(present::resign));
        }
    }

    private void close() {
        LeaderElection present = election;
        if (present == null) {
            return;
        } else if (!host.mayBlock()) {
            closeLater();
            return;
        }
        endTerm();
        election = null;
        block("election.close", done(() -> {
            present.close();
            present.close();
        }));
    }

    private void closeLater() {
        if (!closing) {
            closing = true;
            later(Duration.ofMillis(20), () -> {
                closing = false;
                close();
            });
        }
    }

    private void endTerm() {
        Term present = term;
        if (present != null) {
            release(present);
        }
    }

    private void release(Term present) {
        if (!present.over) {
            present.over = true;
            host.report(to -> to.releasing(present.held));
        }
    }

    @Override
    void leave() {
        close();
    }

    private final class Candidate implements LeaderElection.Candidate {

        private final LockOptions with;

        Candidate(LockOptions with) {
            this.with = with;
        }

        @Override
        public void elected(Lease lease) {
            Term last = term;
            if (last != null && !last.notified) {
                host.report(Property.ELECTION, lease + " begins a term before the end of " + last.lease);
            }
            Term present = new Term(host.begin().granted(lease, with));
            term = present;
            countGrant();
            lease.onLost(loss -> later(GRACE, () -> {
                if (!present.notified) {
                    host.report(Property.ELECTION, lease + " of a leader was lost, and it was not deposed");
                }
            }));
            serve(present, lease);
        }

        private void serve(Term present, Lease lease) {
            switch (random.nextInt(10)) {
                case 0 -> throw failing(present, lease, new IllegalStateException("the candidate fails"));
                case 1 -> throw failing(present, lease, new LinkageError("the candidate fails badly"));
                case 2 -> {
                    if (host.mayBlock()) {
                        host.pass(Menu.upTo(random, menu.base().lease()));
                    }
                }
                case 3 -> resign();
                case 4 -> close();
                default -> {}
            }
        }

        private <T extends Throwable> T failing(Term present, Lease lease, T failure) {
            release(present);
            later(GRACE, () -> {
                if (lease.isValid() || !present.notified) {
                    host.report(Property.ELECTION, lease + " of a candidate that has thrown has not ended");
                }
            });
            return failure;
        }

        @Override
        public void resigned(Lease lease) {
            Term present = term;
            if (present == null || !present.lease.equals(lease)) {
                host.report(Property.ELECTION, lease + " has ended without a term");
                return;
            }
            release(present);
            end(present);
            if (lease.state() == LeaseState.RELEASED) {
                host.report(Property.ELECTION, lease + " was released before the candidate was notified");
            }
            if (random.nextInt(4) == 0) {
                throw new IllegalStateException("the candidate fails when it resigns");
            }
        }

        private void end(Term present) {
            if (present.notified) {
                host.report(Property.ELECTION, present.lease + " of a leader has ended twice");
            }
            present.notified = true;
        }

        @Override
        public void deposed(Loss loss) {
            Term present = term;
            if (present != null) {
                present.over = true;
                end(present);
            }
            if (random.nextInt(4) == 0) {
                throw new IllegalStateException("the candidate fails when it is deposed");
            }
        }
    }
}
