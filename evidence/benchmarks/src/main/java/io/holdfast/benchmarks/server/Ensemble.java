package io.holdfast.benchmarks.server;

import io.holdfast.servers.Eventually;
import io.holdfast.servers.FreePorts;
import java.net.URI;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.IntStream;

/** Processes that were started together and need each other. */
public final class Ensemble implements LockServers {

    private static final Duration START_LIMIT = Duration.ofSeconds(60);

    private final List<ServerShell> servers;
    private final List<URI> uris;
    private final Probe probe;

    private Ensemble(List<ServerShell> servers, List<URI> uris, Probe probe) {
        this.servers = servers;
        this.uris = uris;
        this.probe = probe;
    }

    /** Starts one process of an ensemble. */
    interface Starter {
        ServerShell start(int index);
    }

    /** Asks a server. */
    interface Probe {
        boolean isReady(URI server) throws Exception;

        boolean isLeader(URI server) throws Exception;
    }

    /**
     * Starts the servers and waits until each of them is ready.
     *
     * @throws AssertionError if they are not ready within a minute
     */
    static Ensemble start(List<URI> uris, Starter starter, Probe probe) {
        Ensemble ensemble = new Ensemble(
                IntStream.range(0, uris.size()).mapToObj(starter::start).toList(), uris, probe);
        try {
            IntStream.range(0, uris.size()).forEach(ensemble::awaitReady);
            return ensemble;
        } catch (AssertionError e) {
            ensemble.close();
            throw e;
        }
    }

    /**
     * Waits until a server can serve clients.
     *
     * @throws AssertionError if it cannot within a minute
     */
    public void awaitReady(int index) {
        Eventually.within(START_LIMIT, uris.get(index) + " replies", () -> probe.isReady(uris.get(index)));
    }

    /** Waits for the leader, and returns its index. */
    public int leader() {
        AtomicInteger leader = new AtomicInteger();
        Eventually.within(START_LIMIT, "there is a leader", () -> {
            for (int i = 0; i < uris.size(); i++) {
                if (probe.isLeader(uris.get(i))) {
                    leader.set(i);
                    return true;
                }
            }
            return false;
        });
        return leader.get();
    }

    /** Kills a server as a crash does. */
    public void kill(int index) {
        servers.get(index).kill();
    }

    /** Starts a server that was killed, with its data. */
    public void start(int index) {
        servers.get(index).start();
    }

    /** Starts a server that was killed, without its data. */
    public void startEmpty(int index) {
        servers.get(index).startEmpty();
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
