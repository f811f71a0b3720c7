package io.holdfast.benchmarks.server;

import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.IntStream;

/** Servers of etcd as Debian installs them, with default settings. */
final class EtcdServers {

    static final Path BINARY = Path.of("/usr/bin/etcd");

    private static final Duration PROBE_LIMIT = Duration.ofSeconds(1);

    private EtcdServers() {}

    static LockServers start(int count) {
        int[] peers = Ensemble.ports(count);
        List<URI> uris = Arrays.stream(Ensemble.ports(count))
                .mapToObj(port -> URI.create("http://127.0.0.1:" + port))
                .toList();
        String cluster = IntStream.range(0, count)
                .mapToObj(i -> "node" + i + "=http://127.0.0.1:" + peers[i])
                .collect(Collectors.joining(","));
        HttpClient client = HttpClient.newHttpClient();
        return Ensemble.start(uris, i -> start(i, uris.get(i), peers[i], cluster), new Status(client));
    }

    private static ServerShell start(int index, URI client, int peer, String cluster) {
        Path directory = ServerShell.directory("etcd");
        String peerUrl = "http://127.0.0.1:" + peer;
        return ServerShell.start(
                directory,
                List.of(
                        BINARY.toString(),
                        "--name=node" + index,
                        "--data-dir=" + directory.resolve("data"),
                        "--log-level=error",
                        "--listen-client-urls=" + client,
                        "--advertise-client-urls=" + client,
                        "--listen-peer-urls=" + peerUrl,
                        "--initial-advertise-peer-urls=" + peerUrl,
                        "--initial-cluster=" + cluster));
    }

    /** Asks over HTTP. */
    private record Status(HttpClient client) implements Ensemble.Probe {

        /** A server is healthy when the cluster has a leader. */
        @Override
        public boolean isReady(URI server) throws IOException, InterruptedException {
            return get(server, "/health").contains("\"true\"");
        }

        @Override
        public boolean isLeader(URI server) throws IOException, InterruptedException {
            return get(server, "/metrics").contains("etcd_server_is_leader 1");
        }

        private String get(URI server, String path) throws IOException, InterruptedException {
            HttpRequest request = HttpRequest.newBuilder(server.resolve(path))
                    .timeout(PROBE_LIMIT)
                    .build();
            return client.send(request, BodyHandlers.ofString()).body();
        }
    }
}
