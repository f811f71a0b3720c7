package io.holdfast.servers.binary;

import java.io.File;
import java.io.IOException;
import java.io.InterruptedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;

/**
 * A redis-server or valkey-server program on this machine.
 *
 * @param path the executable file
 * @param version the version that it reports
 */
public record RedisBinary(Path path, RedisVersion version) {

    /** The environment variable that names the server to use; it has precedence over all others. */
    public static final String VARIABLE = "HOLDFAST_REDIS_SERVER";

    private static final List<String> NAMES = List.of("redis-server", "valkey-server");
    private static final long VERSION_TIMEOUT_SECONDS = 60;

    /**
     * Finds the server to use: the one that {@value #VARIABLE} names, else a {@code redis-server} or {@code
     * valkey-server} on the path, else the one in a dependency of this module, which is unpacked into the user's cache
     * directory.
     *
     * @throws IllegalStateException if {@value #VARIABLE} names no server, or if there is none for this machine
     */
    public static RedisBinary find() {
        return find(System.getenv());
    }

    /** Returns all servers among which {@link #find} chooses, one of each version. */
    public static List<RedisBinary> all() {
        Map<String, RedisBinary> byVersion = new LinkedHashMap<>();
        Stream.of(find(), packed(System.getenv()))
                .forEach(server -> byVersion.putIfAbsent(server.version().toString(), server));
        NAMES.forEach(name -> onPath(System.getenv().getOrDefault("PATH", ""), List.of(name))
                .map(RedisBinary::at)
                .ifPresent(server -> byVersion.putIfAbsent(server.version().toString(), server)));
        return List.copyOf(byVersion.values());
    }

    private static RedisBinary packed(Map<String, String> environment) {
        return at(PackedBinary.ofThisMachine()
                .unpackInto(PackedBinary.cacheDirectory(environment, System.getProperty("user.home"))));
    }

    static RedisBinary find(Map<String, String> environment) {
        String named = environment.getOrDefault(VARIABLE, "");
        if (!named.isEmpty()) {
            return at(Path.of(named));
        }
        return onPath(environment.getOrDefault("PATH", ""), NAMES)
                .map(RedisBinary::at)
                .orElseGet(() -> packed(environment));
    }

    /**
     * Returns the server in this file.
     *
     * @throws IllegalStateException if the file is not executable or is not a redis-server
     */
    public static RedisBinary at(Path path) {
        if (!isProgram(path)) {
            throw new IllegalStateException(path + " is not an executable file; let " + VARIABLE
                    + " name a redis-server or valkey-server, or leave it unset to use the one on the PATH");
        }
        return new RedisBinary(path, versionOf(path));
    }

    private static Optional<Path> onPath(String searchPath, List<String> names) {
        return Arrays.stream(searchPath.split(File.pathSeparator))
                .filter(directory -> !directory.isEmpty())
                .flatMap(directory -> names.stream().map(name -> Path.of(directory, name)))
                .filter(RedisBinary::isProgram)
                .findFirst();
    }

    private static boolean isProgram(Path path) {
        return Files.isRegularFile(path) && Files.isExecutable(path);
    }

    private static RedisVersion versionOf(Path path) {
        try {
            return RedisVersion.parse(outputOf(path, "--version"));
        } catch (IOException | IllegalArgumentException e) {
            throw new IllegalStateException(
                    path + " --version does not answer as a redis-server does (" + e.getMessage() + "); let " + VARIABLE
                            + " name one that runs on this machine",
                    e);
        }
    }

    private static String outputOf(Path path, String argument) throws IOException {
        Process process = new ProcessBuilder(path.toString(), argument)
                .redirectErrorStream(true)
                .start();
        try {
            process.getOutputStream().close();
            if (!process.waitFor(VERSION_TIMEOUT_SECONDS, TimeUnit.SECONDS)) {
                throw new IOException("no answer within " + VERSION_TIMEOUT_SECONDS + " s");
            }
            return new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new InterruptedIOException("interrupted");
        } finally {
            process.destroyForcibly();
        }
    }
}
