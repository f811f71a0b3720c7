package io.holdfast.stress.operation;

import io.holdfast.DistributedLock;
import io.holdfast.Lease;
import io.holdfast.LockOptions;
import io.holdfast.locks.LeaderElection;
import io.holdfast.stress.client.Client;
import io.holdfast.stress.client.Names;
import io.holdfast.stress.witness.Kind;
import java.time.Duration;
import java.util.concurrent.TimeUnit;

/**
 * Elections whose candidates return, throw, die, or lead until they are deposed; they resign or are closed at any time.
 */
public final class ElectionOperations implements Operation {

    private static final LockOptions RENEWED =
            LockOptions.builder().lease(Duration.ofSeconds(2)).build();
    /** Options with which each leader is deposed, because its lease is not renewed. */
    private static final LockOptions DEPOSED =
            LockOptions.builder().lease(Duration.ofMillis(200)).renewal(false).build();

    private static final int LIFE_MICROS = 30_000;
    private static final int LONG_LIFE_IN = 8;
    private static final int LONG_LIFE_MICROS = 500_000;
    private static final long RESIGNATION_NANOS = TimeUnit.MINUTES.toNanos(1);

    @Override
    public void run(OperationContext context) throws InterruptedException {
        Client client = context.client();
        boolean renewed = context.random().nextBoolean();
        String resource = Names.LEADER + (renewed ? "renewed" : "deposed");
        DistributedLock lock = client.holdfast().lock(resource, renewed ? RENEWED : DEPOSED);
        TestCandidate.Behavior[] behaviors = TestCandidate.Behavior.values();
        TestCandidate.Behavior behavior = behaviors[context.random().nextInt(behaviors.length)];
        TestCandidate candidate = new TestCandidate(context, behavior, context.floor(resource));
        try (LeaderElection election = LeaderElection.start(lock, candidate)) {
            context.pause(context.oneIn(LONG_LIFE_IN) ? LONG_LIFE_MICROS : LIFE_MICROS);
            if (behavior == TestCandidate.Behavior.DIES && !client.isClosing()) {
                requireResignation(context, election, candidate, client);
            }
            if (context.oneIn(3)) {
                election.resign();
                context.pause(LIFE_MICROS);
            }
            candidate.withdraw();
        }
    }

    /** Checks that a candidate that has died is no longer the leader. */
    private static void requireResignation(
            OperationContext context, LeaderElection election, TestCandidate candidate, Client client)
            throws InterruptedException {
        Lease lease = candidate.lease();
        if (lease == null) {
            return;
        }
        long end = System.nanoTime() + RESIGNATION_NANOS;
        while (leadsBy(election, lease)) {
            if (System.nanoTime() - end > 0) {
                if (!client.isClosing()) {
                    context.report(Kind.STILL_LEADS, lease.toString());
                }
                return;
            }
            Thread.sleep(1);
        }
    }

    private static boolean leadsBy(LeaderElection election, Lease lease) {
        return election.leadership().filter(lease::equals).isPresent();
    }
}
