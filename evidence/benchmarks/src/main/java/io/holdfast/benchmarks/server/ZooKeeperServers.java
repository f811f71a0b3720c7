package io.holdfast.benchmarks.server;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.Socket;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/** Servers of ZooKeeper as Debian installs them, with the settings of its example for the timing. */
final class ZooKeeperServers {

    static final Path JAR = Path.of("/usr/share/java/zookeeper.jar");

    private static final String JAVA =
            Path.of(System.getProperty("java.home"), "bin", "java").toString();

    private static final int PROBE_MILLIS = 1_000;

    private ZooKeeperServers() {}

    static LockServers start(int count) {
        int[] clients = Ensemble.ports(count);
        int[] followers = Ensemble.ports(count);
        int[] elections = Ensemble.ports(count);
        List<URI> uris = Arrays.stream(clients)
                .mapToObj(port -> URI.create("zookeeper://127.0.0.1:" + port))
                .toList();
        List<String> members = new ArrayList<>();
        for (int i = 0; i < count && count > 1; i++) {
            members.add("server." + (i + 1) + "=127.0.0.1:" + followers[i] + ":" + elections[i]);
        }
        return Ensemble.start(uris, i -> start(i + 1, clients[i], members), new Status());
    }

    private static ServerShell start(int id, int port, List<String> members) {
        Path directory = ServerShell.directory("zookeeper");
        List<String> config = new ArrayList<>(List.of(
                "tickTime=2000",
                "initLimit=10",
                "syncLimit=5",
                "dataDir=" + directory,
                "clientPortAddress=127.0.0.1",
                "clientPort=" + port,
                "maxClientCnxns=0",
                "admin.enableServer=false",
                "4lw.commands.whitelist=srvr"));
        config.addAll(members);
        Path file = directory.resolve("zoo.cfg");
        try {
            Files.write(file, config);
            Files.writeString(directory.resolve("myid"), Integer.toString(id));
        } catch (IOException e) {
            throw new UncheckedIOException("Cannot write " + file, e);
        }
        return ServerShell.start(
                directory,
                List.of(
                        JAVA,
                        "-Xmx512m",
                        "-cp",
                        JAR.toString(),
                        "org.apache.zookeeper.server.quorum.QuorumPeerMain",
                        file.toString()));
    }

    /** Asks with the word {@code srvr}. */
    private static final class Status implements Ensemble.Probe {

        /** A server names its role when the ensemble has a leader. */
        @Override
        public boolean isReady(URI server) throws IOException {
            return status(server).contains("Mode:");
        }

        @Override
        public boolean isLeader(URI server) throws IOException {
            return status(server).contains("Mode: leader");
        }

        private static String status(URI server) throws IOException {
            try (Socket socket = new Socket(InetAddress.getByName(server.getHost()), server.getPort())) {
                // A server that is about to start may accept a connection and never reply.
                socket.setSoTimeout(PROBE_MILLIS);
                socket.getOutputStream().write("srvr".getBytes(StandardCharsets.US_ASCII));
                return new String(socket.getInputStream().readAllBytes(), StandardCharsets.US_ASCII);
            }
        }
    }
}
