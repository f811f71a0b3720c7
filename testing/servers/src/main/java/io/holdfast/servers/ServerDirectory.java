package io.holdfast.servers;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Comparator;
import java.util.List;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * The directory with the configuration, the log and the data of one server; a temporary one is deleted with the server.
 */
final class ServerDirectory {

    private static final int TAIL_LINES = 12;

    private static final String CONFIG = "redis.conf";
    private static final String DATA = "data";

    private final Path path;
    private final @Nullable PrivateDirectory kept;
    private final Runnable cleanup = this::close;

    private ServerDirectory(Path path, @Nullable PrivateDirectory kept) {
        this.path = path;
        this.kept = kept;
    }

    /** Creates a temporary directory. */
    static ServerDirectory open() {
        try {
            Path path = Files.createTempDirectory("holdfast-redis-");
            ServerDirectory directory = new ServerDirectory(path, null);
            ProcessCleanup.add(directory.cleanup);
            OrphanCleanup.add(path);
            return directory;
        } catch (IOException e) {
            throw new UncheckedIOException("Cannot create the directory of a redis-server", e);
        }
    }

    /** Returns the given directory, for a server that outlives this process. */
    static ServerDirectory keep(PrivateDirectory given) {
        return new ServerDirectory(given.path(), given);
    }

    Path config() {
        return path.resolve(CONFIG);
    }

    Path log() {
        return path.resolve("redis.log");
    }

    /** Returns the directory of the persisted data. */
    Path data() {
        return path.resolve(DATA);
    }

    void writeConfig(List<String> lines) throws IOException {
        if (kept == null) {
            Files.createDirectories(data());
            Files.write(config(), lines);
        } else {
            kept.subdirectory(DATA);
            kept.write(CONFIG, lines);
        }
    }

    /** Returns the file into which the server writes its process id. */
    Path pidFile() {
        return pidFile(path);
    }

    /** Returns the file of the process id of the server with this directory. */
    static Path pidFile(Path directory) {
        return directory.resolve(DATA).resolve("redis.pid");
    }

    /** Deletes the process id of a server that has ended, which another process may get. */
    void deletePidFile() {
        try {
            Files.deleteIfExists(pidFile());
        } catch (IOException e) {
            throw new UncheckedIOException("cannot delete " + pidFile(), e);
        }
    }

    /** Returns the last lines of the log, joined into one line. */
    String logTail() {
        try (Stream<String> all = Files.lines(log(), StandardCharsets.ISO_8859_1)) {
            List<String> lines =
                    all.map(String::strip).filter(line -> !line.isEmpty()).toList();
            return String.join(" | ", lines.subList(Math.max(0, lines.size() - TAIL_LINES), lines.size()));
        } catch (IOException e) {
            return "(no log: " + e + ")";
        }
    }

    void deleteData() {
        delete(data());
    }

    void close() {
        ProcessCleanup.remove(cleanup);
        if (kept == null) {
            delete(path);
        }
    }

    private static void delete(Path root) {
        if (!Files.exists(root)) {
            return;
        }
        try (Stream<Path> tree = Files.walk(root)) {
            for (Path file : tree.sorted(Comparator.reverseOrder()).toList()) {
                Files.deleteIfExists(file);
            }
        } catch (IOException e) {
            throw new UncheckedIOException("Cannot delete " + root, e);
        }
    }
}
