package io.holdfast.benchmarks.server;

import io.holdfast.servers.FreePorts;
import io.holdfast.testkit.Programs;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Stream;

/** A server of PostgreSQL as Debian installs it, with the table of ShedLock's documentation. */
public final class PostgresServer {

    /** The user of the database. */
    public static final String USER = "shedlock";

    /** The user of the system, since the server refuses to run as root. */
    private static final String OWNER = "postgres";

    private static final Path INSTALLATIONS = Path.of("/usr/lib/postgresql");

    private static final String TABLE =
            "create table shedlock(name varchar(64) primary key, lock_until timestamp not null,"
                    + " locked_at timestamp not null, locked_by varchar(255) not null)";

    /** Waits for the last process of a server that was killed, since the next one cannot start before. */
    private static final String SCRIPT = """
            directory="$1"
            binaries="$2"
            while readlink /proc/[0-9]*/cwd | grep -q -x -F "$directory/data"; do sleep 0.05; done
            if ! [ -d empty ]; then
              "$binaries/initdb" -D empty -A trust -U "$3" --no-sync
              echo "$4" | "$binaries/postgres" --single -D empty postgres
            fi
            [ -d data ] || cp -a empty data
            exec "$binaries/postgres" -D data -p "$5" -k "$directory" -h 127.0.0.1
            """;

    private PostgresServer() {}

    /** Returns whether this machine has the server. */
    public static boolean isInstalled() {
        return binaries().isPresent();
    }

    private static Optional<Path> binaries() {
        if (!Files.isDirectory(INSTALLATIONS)) {
            return Optional.empty();
        }
        try (Stream<Path> versions = Files.list(INSTALLATIONS)) {
            return versions.map(version -> version.resolve("bin"))
                    .filter(binaries -> Files.isExecutable(binaries.resolve("initdb")))
                    .findFirst();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /**
     * Starts a server and returns when it replies.
     *
     * @param environment further environment variables of its processes, whose values are files
     * @throws IllegalStateException if the server cannot read such a file
     */
    public static Ensemble start(Map<String, String> environment) {
        Path binaries = binaries().orElseThrow();
        URI uri = URI.create("postgresql://127.0.0.1:" + FreePorts.next());
        return Ensemble.start(List.of(uri), i -> start(binaries, uri.getPort(), environment), new Readiness(binaries));
    }

    private static ServerShell start(Path binaries, int port, Map<String, String> environment) {
        boolean isRoot = System.getProperty("user.name").equals("root");
        List<String> user =
                isRoot ? List.of("setpriv", "--reuid=" + OWNER, "--regid=" + OWNER, "--clear-groups") : List.of();
        environment.values().forEach(file -> require(user, "test", "-r", file));
        Path directory = ServerShell.directory("postgresql");
        if (isRoot) {
            require(List.of("chown"), OWNER, directory.toString());
        }
        List<String> command = new ArrayList<>(List.of("env"));
        environment.forEach((name, value) -> command.add(name + "=" + value));
        command.addAll(user);
        command.addAll(
                List.of("sh", "-c", SCRIPT, OWNER, directory.toString(), binaries.toString(), USER, TABLE, "" + port));
        return ServerShell.start(directory, command);
    }

    private static void require(List<String> prefix, String... command) {
        List<String> all = new ArrayList<>(prefix);
        all.addAll(List.of(command));
        if (!Programs.succeed(all.toArray(String[]::new))) {
            throw new IllegalStateException("PostgreSQL cannot be started: " + String.join(" ", all));
        }
    }

    /** Asks with the program that PostgreSQL brings. */
    private record Readiness(Path binaries) implements Ensemble.Probe {

        @Override
        public boolean isReady(URI server) {
            return Programs.succeed(
                    binaries.resolve("pg_isready").toString(),
                    "-q",
                    "-h",
                    server.getHost(),
                    "-p",
                    "" + server.getPort());
        }

        @Override
        public boolean isLeader(URI server) {
            return true;
        }
    }
}
