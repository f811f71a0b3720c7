package io.holdfast.stress;

import io.holdfast.DistributedLock;
import io.holdfast.Lease;
import io.holdfast.LockOptions;
import io.holdfast.locks.LeaderElection;
import io.holdfast.locks.Locks;
import io.holdfast.stress.witness.Kind;
import java.time.Duration;
import java.util.concurrent.TimeUnit;

/** Elections: candidates that return, throw, die, or stay until they are deposed; that resign; and that are closed at any time. */
final class ElectionOperations implements Operation {

    private static final LockOptions RENEWED = LockOptions.DEFAULT.withLease(Duration.ofSeconds(2));
    /** Each leader is deposed, since nothing renews its lease. */
    private static final LockOptions DEPOSED =
            LockOptions.DEFAULT.withLease(Duration.ofMillis(200)).withRenewal(false);

    private static final int LIFE_MICROS = 30_000;
    private static final int LONG_LIFE_IN = 8;
    private static final int LONG_LIFE_MICROS = 500_000;
    private static final long RESIGNATION_NANOS = TimeUnit.SECONDS.toNanos(1);

    @Override
    public void run(Scene scene) throws InterruptedException {
        Client client = scene.client();
        boolean renewed = scene.random().nextBoolean();
        String resource = Names.LEADER + (renewed ? "renewed" : "deposed");
        DistributedLock lock = client.holdfast().lock(resource, renewed ? RENEWED : DEPOSED);
        Politician.Manner[] manners = Politician.Manner.values();
        Politician.Manner manner = manners[scene.random().nextInt(manners.length)];
        Politician politician = new Politician(scene, manner, scene.floor(resource));
        try (LeaderElection election = Locks.election(lock, politician)) {
            scene.pause(scene.oneIn(LONG_LIFE_IN) ? LONG_LIFE_MICROS : LIFE_MICROS);
            if (manner == Politician.Manner.DIES && !client.isClosing()) {
                requireResignation(scene, election, politician, client);
            }
            if (scene.oneIn(3)) {
                election.resign();
                scene.pause(LIFE_MICROS);
            }
            politician.retire();
        }
    }

    /** A candidate that has died leads no longer, and another can be elected. */
    private static void requireResignation(Scene scene, LeaderElection election, Politician politician, Client client)
            throws InterruptedException {
        Lease lease = politician.lease();
        if (lease == null) {
            return;
        }
        long end = System.nanoTime() + RESIGNATION_NANOS;
        while (leadsBy(election, lease)) {
            if (System.nanoTime() - end > 0) {
                if (!client.isClosing()) {
                    scene.report(Kind.STILL_LEADS, lease.toString());
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
