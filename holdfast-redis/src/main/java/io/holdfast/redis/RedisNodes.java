package io.holdfast.redis;

import io.holdfast.node.LockNode;
import io.holdfast.node.NodeTerms;
import io.holdfast.time.Time;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;

/** The nodes of one client: for each connector a node, with a connection that is kept. */
public final class RedisNodes {

    private RedisNodes() {}

    /**
     * Begins to connect to all of them, waits as {@link io.holdfast.node.NodeProvider#connect} says, and returns the nodes in the order
     * of their connectors.
     */
    public static List<LockNode> connect(List<? extends RedisConnector> connectors, NodeTerms terms, Time time) {
        List<Supervisor> supervisors = connectors.stream()
                .map(connector -> new Supervisor(connector, time))
                .toList();
        Arrivals arrivals = new Arrivals(supervisors.size(), time);
        supervisors.forEach(supervisor -> supervisor.start().thenAccept(arrivals::count));
        await(arrivals, terms.connectTimeout());
        Neighbours neighbours = new Neighbours();
        return supervisors.stream()
                .<LockNode>map(supervisor -> new RedisLockNode(supervisor, terms, neighbours))
                .toList();
    }

    private static void await(Arrivals arrivals, Duration connectTimeout) {
        try {
            arrivals.enough().get(connectTimeout.toNanos(), TimeUnit.NANOSECONDS);
        } catch (TimeoutException e) {
            // What is missing is tried on in the background.
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        } catch (ExecutionException e) {
            throw new IllegalStateException("Arrivals never fail", e);
        }
    }
}
