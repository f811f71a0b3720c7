package io.holdfast.lettuce;

import static org.assertj.core.api.Assertions.assertThat;

import io.holdfast.time.VirtualTime;
import io.netty.resolver.AddressResolver;
import io.netty.util.concurrent.DefaultEventExecutor;
import io.netty.util.concurrent.Future;
import java.net.InetSocketAddress;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.logging.Filter;
import java.util.logging.Level;
import java.util.logging.Logger;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** Needs no server, but all tests of this module run in {@code verify}. */
@Tag("server")
class NameResolverTest {

    private static final InetSocketAddress ADDRESS = InetSocketAddress.createUnresolved("localhost", 6379);
    private static final Logger NETTY = Logger.getLogger("io.netty.util.concurrent.DefaultPromise.rejectedExecution");

    private final VirtualTime time = new VirtualTime();
    private final DefaultEventExecutor executor = new DefaultEventExecutor();

    /** A name server that is slow must not fill the log of a client that is closed. */
    @Test
    @SuppressWarnings("resource") // The group closes the resolver.
    void resolve_clientIsClosedMeanwhile_logsNothing() throws InterruptedException {
        List<String> logged = new ArrayList<>();
        Thread thisThread = Thread.currentThread();
        Filter filter = message -> {
            if (Thread.currentThread().equals(thisThread)) {
                logged.add(message.getMessage());
            }
            return false;
        };
        AddressResolver<InetSocketAddress> resolver = new NameResolver.Group(time).getResolver(executor);
        Future<InetSocketAddress> resolved = resolver.resolve(ADDRESS);
        executor.shutdownGracefully(0, 0, TimeUnit.SECONDS).sync();
        NETTY.setLevel(Level.ALL);
        NETTY.setFilter(filter);

        time.settle();

        NETTY.setFilter(null);
        assertThat(logged).isEmpty();
        assertThat(resolved.isDone()).isFalse();
    }

    @Test
    @SuppressWarnings("resource") // The group closes the resolver.
    void resolve_knownName_isItsAddress() throws InterruptedException {
        AddressResolver<InetSocketAddress> resolver = new NameResolver.Group(time).getResolver(executor);
        Future<InetSocketAddress> resolved = resolver.resolve(ADDRESS);

        time.settle();

        assertThat(resolved.await(1, TimeUnit.MINUTES)).isTrue();
        assertThat(resolved.getNow().isUnresolved()).isFalse();
        executor.shutdownGracefully(0, 0, TimeUnit.SECONDS).sync();
    }
}
