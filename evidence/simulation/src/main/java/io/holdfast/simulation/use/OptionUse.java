package io.holdfast.simulation.use;

import io.holdfast.DistributedLock;
import io.holdfast.Holdfast;
import io.holdfast.HoldfastException;
import io.holdfast.HoldfastOptions;
import io.holdfast.LockOptions;
import io.holdfast.LockOptionsBuilder;
import io.holdfast.LockTimeoutException;
import io.holdfast.QuorumUnreachableException;
import io.holdfast.locks.DistributedSemaphore;
import io.holdfast.locks.MultiLock;
import io.holdfast.node.memory.InMemoryNode;
import io.holdfast.spi.LockInternals;
import io.holdfast.time.Time;
import java.io.IOException;
import java.security.GeneralSecurityException;
import java.time.Duration;
import java.util.List;
import java.util.Set;
import java.util.SplittableRandom;
import java.util.concurrent.ExecutionException;
import java.util.stream.Stream;
import javax.net.ssl.KeyManagerFactory;
import javax.net.ssl.TrustManagerFactory;

/** Reads all values that can be read, and builds options in the alternative ways. */
final class OptionUse {

    private OptionUse() {}

    /** Builds the same options again; they must be equal. */
    static LockOptions rebuilt(LockOptions options) {
        LockOptionsBuilder rebuilt = LockOptions.builder()
                .lease(options.lease())
                .waitLimit(options.waitLimit())
                .renewal(options.renewal())
                .holdLimit(options.holdLimit())
                .driftShare(options.driftShare())
                .retryDelays(options.retryDelay(), options.retryDelayLimit())
                .fair(options.fair());
        boolean isDerived = rebuilt.build().nodeTimeout().equals(options.nodeTimeout());
        return isDerived
                ? rebuilt.build()
                : rebuilt.nodeTimeout(options.nodeTimeout()).build();
    }

    /** Checks a client; returns a description of an impossible value, or an empty text. */
    static String check(Holdfast holdfast, String name, LockOptions options) {
        DistributedLock lock = holdfast.lock(name, options.toBuilder().build());
        boolean sameTime = LockInternals.time(lock).equals(LockInternals.time(lock))
                && holdfast.options().equals(holdfast.options().toBuilder().build());
        boolean sameOptions = rebuilt(options).equals(options) && lock.options().equals(options);
        if (!sameTime || !sameOptions || lock.isShared() || !lock.resource().equals(name)) {
            return lock + " differs from what was asked for";
        }
        boolean areNamed = Stream.concat(holdfast.nodes().stream(), holdfast.previousNodes().stream())
                .noneMatch(node -> node.name().isEmpty());
        boolean isBounded = holdfast.longestLease().compareTo(holdfast.options().maxLease()) <= 0;
        return holdfast.nodes().isEmpty() || !areNamed || !isBounded
                ? "a client without nodes, or without their names"
                : "";
    }

    /** Reads all options of a client, and builds them again. */
    static boolean check(HoldfastOptions options) throws GeneralSecurityException {
        String algorithm = TrustManagerFactory.getDefaultAlgorithm();
        HoldfastOptions secured = options.toBuilder()
                .maxLease(options.maxLease())
                .restarts(options.restarts())
                .strictFences(options.strictFences())
                .connectTimeout(options.connectTimeout())
                .replicas(options.replicas())
                .previousNodes(options.previousNodes())
                .previousMaxLease(options.previousMaxLease())
                .name(options.name().orElse(""))
                .trustManagers(TrustManagerFactory.getInstance(algorithm))
                .keyManagers(KeyManagerFactory.getInstance(KeyManagerFactory.getDefaultAlgorithm()))
                .build();
        return secured.callbackExecutor().equals(options.callbackExecutor())
                && !secured.security().equals(options.security())
                && HoldfastException.from(new ExecutionException(new IOException("none")))
                        instanceof IllegalStateException;
    }

    /** Creates a client without nodes of this run, whose leases may have any length. */
    static boolean makesOwnClient(Time time, String name) {
        try (Holdfast own =
                Holdfast.forTesting(List.of(new InMemoryNode("own", time)), time, new SplittableRandom(1))) {
            return MultiLock.of(own, List.of(name)).resources().equals(List.of(name))
                    && DistributedSemaphore.of(own, name, 1).permits() == 1
                    && own.lock(name).options().equals(LockOptions.DEFAULT);
        }
    }

    /**
     * Returns whether a failure names the requested lock, and the replies of the nodes or, if the client held the lock
     * itself and did not ask, a single holder.
     */
    static boolean isInformative(Throwable failure) {
        if (failure instanceof LockTimeoutException held) {
            return !held.resource().isEmpty()
                    && !held.waited().isNegative()
                    && held.remainingHold().filter(Duration::isNegative).isEmpty()
                    // The simulated links carry no administration, so no node names a holder.
                    && held.holder().isEmpty()
                    && (held.hasSingleHolder() || !held.replies().isEmpty());
        } else if (failure instanceof QuorumUnreachableException unreachable) {
            return !unreachable.waited().isNegative()
                    && unreachable.nodes() >= unreachable.replies().size()
                    && unreachable.isMajorityWithout(Set.of())
                    && (!unreachable.replies().isEmpty()
                            || unreachable.quorumExpectedIn().isPresent());
        }
        return true;
    }
}
