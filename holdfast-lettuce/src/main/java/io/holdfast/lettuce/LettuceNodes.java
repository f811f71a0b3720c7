package io.holdfast.lettuce;

import io.holdfast.node.LockNode;
import io.holdfast.node.NodeProvider;
import io.holdfast.node.NodeTerms;
import io.holdfast.redis.Neighbours;
import io.holdfast.redis.RedisLockNode;
import io.holdfast.time.Time;
import io.lettuce.core.RedisURI;
import java.net.URI;
import java.time.Duration;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;

/**
 * Connects to {@code redis://} and {@code rediss://} (TLS) addresses with Lettuce. Found by itself when it is on the class
 * path; there is nothing to call.
 */
public final class LettuceNodes implements NodeProvider {

    private static final Set<String> SCHEMES = Set.of("redis", "rediss");

    @Override
    public boolean supports(String scheme) {
        return SCHEMES.contains(scheme);
    }

    @Override
    public List<LockNode> connect(List<URI> addresses, NodeTerms terms, Time time) {
        List<RedisURI> uris = addresses.stream().map(LettuceNodes::parse).toList();
        LettuceClient client = new LettuceClient(uris.size());
        List<Supervisor> supervisors = uris.stream()
                .map(uri -> new Supervisor(client, uri, time, terms.connectTimeout()))
                .toList();
        Arrivals arrivals = new Arrivals(supervisors.size(), time);
        supervisors.forEach(supervisor -> supervisor.start().thenAccept(arrivals::count));
        await(arrivals, terms.connectTimeout());
        Neighbours neighbours = new Neighbours();
        return supervisors.stream()
                .<LockNode>map(supervisor -> new RedisLockNode(new LettucePort(supervisor), terms, neighbours))
                .toList();
    }

    private static RedisURI parse(URI address) {
        try {
            return RedisURI.create(address);
        } catch (RuntimeException e) {
            throw new IllegalArgumentException("'" + Supervisor.name(address)
                    + "' is not an address that can be connected to; write redis://user:password@host:6379/0, where the"
                    + " number of the database may be left out");
        }
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
