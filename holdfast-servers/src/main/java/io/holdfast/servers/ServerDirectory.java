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

    private final Path path;
    private final boolean temporary;
    private final Runnable cleanup = this::close;

    private ServerDirectory(Path path, boolean temporary) {
        this.path = path;
        this.temporary = temporary;
    }

    /** Opens the given directory, or a temporary one. */
    static ServerDirectory open(@Nullable Path given) {
        try {
            Path path = given == null
                    ? Files.createTempDirectory("holdfast-redis-")
                    : Files.createDirectories(given).toAbsolutePath();
            ServerDirectory directory = new ServerDirectory(path, given == null);
            ProcessCleanup.add(directory.cleanup);
            return directory;
        } catch (IOException e) {
            throw new UncheckedIOException("Cannot create the directory of a redis-server", e);
        }
    }

    /** Returns the given directory, for a server that outlives this process. */
    static ServerDirectory keep(Path given) {
        return new ServerDirectory(given, false);
    }

    Path config() {
        return path.resolve("redis.conf");
    }

    Path log() {
        return path.resolve("redis.log");
    }

    /** Returns the directory of the persisted data. */
    Path data() {
        return path.resolve("data");
    }

    void writeConfig(List<String> lines) throws IOException {
        Files.createDirectories(data());
        Files.write(config(), lines);
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
        if (temporary) {
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
