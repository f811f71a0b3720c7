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

/**
 * Resolves host names as the Java runtime does, at each attempt to connect, so that a name may lead to another server.
 * The resolution of a name may block, so it has a thread of its own. Netty's resolver would read the file of hosts only
 * once in a process, and leaves a socket open.
 */
final class NameResolver extends InetNameResolver {

    private final Time time;

    private NameResolver(EventExecutor executor, Time time) {
        super(executor);
        this.time = time;
    }

    /** A resolution; it may block. */
    private interface Resolution<T> {
        T result() throws Exception;
    }

    @Override
    protected void doResolve(String host, Promise<InetAddress> promise) {
        resolve(host, () -> InetAddress.getByName(host), promise);
    }

    @Override
    protected void doResolveAll(String host, Promise<List<InetAddress>> promise) {
        resolve(host, () -> List.of(InetAddress.getAllByName(host)), promise);
    }

    private <T> void resolve(String host, Resolution<T> resolution, Promise<T> promise) {
        if (NetUtil.isValidIpV4Address(host) || NetUtil.isValidIpV6Address(host)) {
            complete(promise, resolution);
        } else {
            time.execute(() -> complete(promise, resolution));
        }
    }

    private static <T> void complete(Promise<T> promise, Resolution<T> resolution) {
        try {
            promise.trySuccess(resolution.result());
        } catch (Throwable failure) {
            promise.tryFailure(failure);
        }
    }

    /** The resolvers of one client. */
    static final class Group extends AddressResolverGroup<InetSocketAddress> {

        private final Time time;

        Group(Time time) {
            this.time = time;
        }

        @Override
        protected AddressResolver<InetSocketAddress> newResolver(EventExecutor executor) {
            return new NameResolver(executor, time).asAddressResolver();
        }
    }
}
