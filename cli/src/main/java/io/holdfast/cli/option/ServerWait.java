package io.holdfast.cli.option;

import io.holdfast.HoldfastException.NodeReply;
import io.holdfast.QuorumUnreachableException;
import java.time.Duration;
import java.util.Set;

/**
 * The wait of a command until a majority of the servers votes. Even with {@code -n}, a command waits for servers that
 * are being connected or in quarantine: if all jobs failed at once, none might ever run. Not thread-safe.
 */
final class ServerWait {

    /** Longer than a restart of a server, shorter than an outage. */
    private static final Duration SILENCE_LIMIT = Duration.ofSeconds(10);

    /** The limit with {@code -n} and without a majority of connections. */
    private static final Duration CONNECTION_LIMIT = Duration.ofSeconds(2);

    private static final Duration PAUSE = Duration.ofMillis(200);

    private final boolean noWait;
    private long silentSince = System.nanoTime();

    ServerWait(boolean noWait) {
        this.noWait = noWait;
    }

    /**
     * Waits for a moment after an attempt without a majority.
     *
     * @param left the rest of the wait limit, which has no effect with {@code -n}
     * @throws QuorumUnreachableException the given one, if waiting is in vain or has taken long enough
     */
    void pause(QuorumUnreachableException e, Duration left) throws InterruptedException {
        boolean isQuarantine = e.quorumExpectedIn().isPresent();
        if (isQuarantine) {
            silentSince = System.nanoTime();
        }
        Duration silent = Duration.ofNanos(System.nanoTime() - silentSince);
        boolean isOver = silent.compareTo(limit(e)) >= 0 || (!noWait && left.isZero());
        if (isHopeless(e) || isOver) {
            throw e;
        }
        Thread.sleep(PAUSE.toMillis());
    }

    /**
     * With {@code -n}, servers that are slow get the time that they have without it: when cron starts many jobs at
     * once, a busy machine takes seconds to read their answers. A server that was stopped has no connection.
     */
    private Duration limit(QuorumUnreachableException e) {
        boolean mayBeSlow = e.isMajorityWithout(Set.of(NodeReply.Kind.NOT_CONNECTED, NodeReply.Kind.UNFIT));
        return noWait && !mayBeSlow ? CONNECTION_LIMIT : SILENCE_LIMIT;
    }

    private static boolean isHopeless(QuorumUnreachableException e) {
        return !e.isMajorityWithout(Set.of(NodeReply.Kind.UNFIT));
    }
}
