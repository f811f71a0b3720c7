package io.holdfast.simulation.use;

import io.holdfast.Lease;
import io.holdfast.LockOptions;
import io.holdfast.lease.Loss;
import io.holdfast.locks.LeaderElection;
import java.time.Duration;
import java.util.random.RandomGenerator;
import org.jspecify.annotations.Nullable;

/** Stands for election; its callbacks return, throw, take their time, resign and close. */
final class CandidateUser extends User {

    /** When a candidate must have learned of a loss, or must have resigned. */
    private static final Duration GRACE = Duration.ofSeconds(5);

    private @Nullable LeaderElection election;
    private @Nullable Term term;
    private boolean closing;

    /** One time of leading. */
    private static final class Term {

        private final Host.Held held;
        private boolean over;
        private boolean deposed;

        Term(Host.Held held) {
            this.held = held;
        }
    }

    CandidateUser(Host host, Menu menu, RandomGenerator random) {
        super(host, menu, random);
    }

    @Override
    void act() {
        LeaderElection present = election;
        if (present == null) {
            LockOptions with = menu.base().toBuilder().holdLimit(LockOptions.FOREVER).build();
            election = LeaderElection.start(host.holdfast().lock(Menu.ELECTION, with), new Candidate(with));
            return;
        }
        switch (random.nextInt(16)) {
            case 0 -> resign();
            case 1 -> close();
            case 2 -> {
                if (present.leadership()
                        .filter(lease -> !lease.state().isValid())
                        .isPresent()) {
                    host.report(Rule.ELECTION, present + " leads with a lease that is over");
                }
            }
            default -> {}
        }
    }

    private void resign() {
        LeaderElection present = election;
        if (present != null && host.mayBlock()) {
            endTerm();
            block("resign", () -> {
                present.resign();
                return true;
            });
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
        block("election.close", () -> {
            present.close();
            present.close();
            return true;
        });
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
        if (present != null && !present.over) {
            present.over = true;
            present.held.releasing();
        }
        term = null;
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
            Term present = new Term(host.begin().granted(lease, with));
            term = present;
            countGrant();
            lease.onLost(loss -> later(GRACE, () -> {
                if (!present.over && !present.deposed) {
                    host.report(Rule.ELECTION, lease + " of a leader was lost, and it was not deposed");
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
            if (!present.over) {
                present.over = true;
                present.held.releasing();
            }
            later(GRACE, () -> {
                if (lease.state().isValid()) {
                    host.report(Rule.ELECTION, lease + " of a candidate that has thrown is still held");
                }
            });
            return failure;
        }

        @Override
        public void deposed(Loss loss) {
            Term present = term;
            if (present != null) {
                present.deposed = true;
                present.over = true;
            }
            if (random.nextInt(4) == 0) {
                throw new IllegalStateException("the candidate fails when it is deposed");
            }
        }
    }
}
