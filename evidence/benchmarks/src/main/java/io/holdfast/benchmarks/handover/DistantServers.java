package io.holdfast.benchmarks.handover;

import io.holdfast.benchmarks.figures.Figures;
import io.holdfast.benchmarks.server.Deployment;
import io.holdfast.benchmarks.server.ServerKind;
import io.holdfast.servers.RespClient;
import io.holdfast.testkit.fault.FaultProxy;
import java.io.IOException;
import java.net.URI;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Collectors;

/** The servers of a deployment behind proxies that delay each direction, or the servers themselves. */
final class DistantServers implements AutoCloseable {

    private static final int PINGS = 200;
    private static final Duration PING_LIMIT = Duration.ofSeconds(5);
    private static final double NANOS_PER_MILLI = 1_000_000;

    private final Deployment deployment;
    private final Duration roundTrip;
    private final List<FaultProxy> proxies = new ArrayList<>();

    /** Uses no proxies if the round trip is zero. Servers of an ensemble reach each other without a proxy. */
    DistantServers(Deployment deployment, Duration roundTrip) {
        this.deployment = deployment;
        this.roundTrip = roundTrip;
    }

    /** Returns the addresses for clients, separated by commas. */
    String addresses(ServerKind kind) {
        return deployment.of(kind).uris().stream()
                .map(uri -> roundTrip.isZero() ? uri : proxy(uri))
                .map(URI::toString)
                .collect(Collectors.joining(","));
    }

    /** Returns the median time of a PING, which includes what the threads of the proxy take; 0 without a proxy. */
    double roundTripMillis() throws IOException {
        if (roundTrip.isZero()) {
            return 0;
        }
        URI redis = proxy(deployment.of(ServerKind.REDIS).uris().get(0));
        double[] millis = new double[PINGS];
        try (RespClient client = new RespClient(redis.getPort(), PING_LIMIT)) {
            for (int i = 0; i < PINGS; i++) {
                long begun = System.nanoTime();
                client.exec("PING");
                millis[i] = (System.nanoTime() - begun) / NANOS_PER_MILLI;
            }
        }
        return Figures.median(millis);
    }

    private URI proxy(URI server) {
        FaultProxy proxy = FaultProxy.to(server);
        proxy.delay(roundTrip.dividedBy(2));
        proxies.add(proxy);
        return proxy.uri();
    }

    @Override
    public void close() {
        proxies.forEach(FaultProxy::close);
    }
}
