package io.holdfast.lettuce;

import io.holdfast.time.Time;
import io.netty.resolver.AddressResolver;
import io.netty.resolver.AddressResolverGroup;
import io.netty.resolver.InetNameResolver;
import io.netty.util.NetUtil;
import io.netty.util.concurrent.EventExecutor;
import io.netty.util.concurrent.Promise;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.RejectedExecutionException;

/**
 * Resolves host names as the Java runtime does, at each attempt to connect, so that a name may lead to another server.
 * The resolution of a name may block, so it has a thread of its own. Netty's resolver would read the file of hosts only
 * once in a process, and leaves a socket open.
 */
final class NameResolver extends InetNameResolver {

    private final Group group;

    private NameResolver(EventExecutor executor, Group group) {
        super(executor);
        this.group = group;
    }

    /** A resolution; it may block. */
    private interface Resolution<T> {
        T result() throws Exception;
    }

    @Override
    protected void doResolve(String host, Promise<InetAddress> promise) {
        resolve(host, () -> group.next(host, InetAddress.getAllByName(host)), promise);
    }

    @Override
    protected void doResolveAll(String host, Promise<List<InetAddress>> promise) {
        resolve(host, () -> List.of(InetAddress.getAllByName(host)), promise);
    }

    private <T> void resolve(String host, Resolution<T> resolution, Promise<T> promise) {
        if (NetUtil.isValidIpV4Address(host) || NetUtil.isValidIpV6Address(host)) {
            resolved(resolution, promise).run();
        } else {
            group.time.execute(() -> complete(resolved(resolution, promise)));
        }
    }

    /** Resolves the name, and returns what completes the promise. */
    private static <T> Runnable resolved(Resolution<T> resolution, Promise<T> promise) {
        try {
            T result = resolution.result();
            return () -> promise.trySuccess(result);
        } catch (Throwable failure) {
            return () -> promise.tryFailure(failure);
        }
    }

    /** Completes a promise on its own thread: on another one, Netty logs an error if that thread has ended. */
    private void complete(Runnable completion) {
        try {
            executor().execute(completion);
        } catch (RejectedExecutionException closed) {
            // The client was closed while the name was resolved, so nothing waits for it.
        }
    }

    /** The resolvers of one client. */
    static final class Group extends AddressResolverGroup<InetSocketAddress> {

        private final Time time;
        /** The number of attempts that have failed, by host. */
        private final Map<String, Integer> failures = new ConcurrentHashMap<>();

        Group(Time time) {
            this.time = time;
        }

        /** Lets the next attempt use the next address of this host: Lettuce tries one, and Jedis tries all. */
        void attemptFailed(String host) {
            failures.merge(host, 1, Integer::sum);
        }

        private InetAddress next(String host, InetAddress[] addresses) {
            return addresses[Math.floorMod(failures.getOrDefault(host, 0), addresses.length)];
        }

        @Override
        protected AddressResolver<InetSocketAddress> newResolver(EventExecutor executor) {
            return new NameResolver(executor, this).asAddressResolver();
        }
    }
}
