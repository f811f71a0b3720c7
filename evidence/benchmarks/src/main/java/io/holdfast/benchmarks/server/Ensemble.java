package io.holdfast.benchmarks.server;

import io.holdfast.servers.Eventually;
import io.holdfast.servers.FreePorts;
import java.net.URI;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.stream.IntStream;

/** Processes that were started together and need each other. */
final class Ensemble implements LockServers {

    private static final Duration START_LIMIT = Duration.ofSeconds(60);

    private final List<ServerShell> servers;
    private final List<URI> uris;

    private Ensemble(List<ServerShell> servers, List<URI> uris) {
        this.servers = servers;
        this.uris = uris;
    }

    /** Starts one process of an ensemble. */
    interface Starter {
        ServerShell start(int index);
    }

    /** Returns the answer of a server, which is one that can serve clients. */
    interface Probe {
        boolean isReady(URI server) throws Exception;
    }

    /**
     * Starts the servers and waits until each of them is ready.
     *
     * @throws AssertionError if they are not ready within a minute
     */
    static Ensemble start(List<URI> uris, Starter starter, Probe probe) {
        Ensemble ensemble = new Ensemble(
                IntStream.range(0, uris.size()).mapToObj(starter::start).toList(), uris);
        try {
            uris.forEach(uri -> Eventually.within(START_LIMIT, uri + " replies", ready(probe, uri)));
            return ensemble;
        } catch (AssertionError e) {
            ensemble.close();
            throw e;
        }
    }

    private static Callable<Boolean> ready(Probe probe, URI uri) {
        return () -> probe.isReady(uri);
    }

    /** Returns free ports of this machine. */
    static int[] ports(int count) {
        return IntStream.range(0, count).map(i -> FreePorts.next()).toArray();
    }

    @Override
    public List<URI> uris() {
        return uris;
    }

    @Override
    public void close() {
        servers.forEach(ServerShell::close);
    }
}
