package io.holdfast.servers.binary;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.HexFormat;
import java.util.Locale;
import java.util.Map;

/**
 * A server binary that is contained in the embedded-redis artifact.
 *
 * @param resource its name on the class path, and the name of its file in the cache
 * @param sha256 the pinned digest of its content, because the unpacked file is executed
 */
record PackedBinary(String resource, String sha256) {

    private static final Map<String, PackedBinary> BY_MACHINE = Map.of(
            "linux-amd64",
            new PackedBinary(
                    "redis-server-6.2.6-v5-linux-amd64",
                    "1f716094e08a25faee2bc7626feb9e13464ed89018ac5c376c5e9cff06bdcf52"),
            "linux-arm64",
            new PackedBinary(
                    "redis-server-6.2.7-linux-arm64",
                    "036a23aa65bfb31d2a048aa96c170b38c2fbd4f1de68ef0f9c3133dd4b1474cd"),
            "darwin-amd64",
            new PackedBinary(
                    "redis-server-6.2.6-v5-darwin-amd64",
                    "7a4eb450d90a6ce9a2c651cfc4a0613b980a270c6426cbb6fa42d6c3beec9ce8"),
            "darwin-arm64",
            new PackedBinary(
                    "redis-server-6.2.6-v5-darwin-arm64",
                    "c523aec5a9b6f565cff0271ef67f5c51fa83e1180e3e954ab5251b3cf6282b76"));

    static PackedBinary ofThisMachine() {
        return of(System.getProperty("os.name"), System.getProperty("os.arch"));
    }

    static PackedBinary of(String osName, String osArch) {
        PackedBinary found = BY_MACHINE.get(os(osName) + "-" + architecture(osArch));
        if (found == null) {
            throw new IllegalStateException("No redis-server is on the PATH, and none is packed for " + osName + " on "
                    + osArch + "; install one, or let " + RedisBinary.VARIABLE + " name one");
        }
        return found;
    }

    /**
     * Returns the user's directory for unpacked servers.
     *
     * @param home the home directory according to Java, which is {@code ?} for a user that the system does not know
     */
    static Path cacheDirectory(Map<String, String> environment, String home) {
        String cache = environment.getOrDefault("XDG_CACHE_HOME", "");
        if (!cache.isEmpty()) {
            return Path.of(cache, "holdfast");
        }
        String known = Path.of(home).isAbsolute() ? home : environment.getOrDefault("HOME", "");
        if (known.isEmpty()) {
            throw new IllegalStateException(
                    "No redis-server is on the PATH, and none can be unpacked: this user has no home directory; "
                            + "set HOME or XDG_CACHE_HOME, install a redis-server, or let " + RedisBinary.VARIABLE
                            + " name one");
        }
        return Path.of(known, ".cache", "holdfast");
    }

    /**
     * Unpacks the server unless the directory has it, and returns the executable file. Several processes may do so at
     * once.
     */
    Path unpackInto(Path directory) {
        Path target = directory.resolve(resource);
        try {
            if (!isIntact(target)) {
                Files.createDirectories(directory);
                unpack(target);
            }
            return target;
        } catch (IOException e) {
            throw new UncheckedIOException(
                    "Cannot unpack a redis-server into " + directory + "; install one, or let " + RedisBinary.VARIABLE
                            + " name one",
                    e);
        }
    }

    /** Writes to a temporary file and renames it, so that no process sees an incomplete program. */
    private void unpack(Path target) throws IOException {
        Path draft = Files.createTempFile(target.getParent(), resource, ".part");
        try (InputStream content = PackedBinary.class.getResourceAsStream("/" + resource)) {
            if (content == null) {
                throw new IOException("The embedded-redis artifact has no " + resource + " on the class path");
            }
            Files.copy(content, draft, StandardCopyOption.REPLACE_EXISTING);
            if (!digestOf(draft).equals(sha256) || !draft.toFile().setExecutable(true, true)) {
                throw new IOException(
                        resource + " is not the file that was expected (SHA-256 " + digestOf(draft) + ")");
            }
            Files.move(draft, target, StandardCopyOption.ATOMIC_MOVE);
        } finally {
            Files.deleteIfExists(draft);
        }
    }

    private boolean isIntact(Path file) throws IOException {
        return Files.isExecutable(file) && digestOf(file).equals(sha256);
    }

    private static String digestOf(Path file) throws IOException {
        try {
            byte[] digest = MessageDigest.getInstance("SHA-256").digest(Files.readAllBytes(file));
            return HexFormat.of().formatHex(digest);
        } catch (NoSuchAlgorithmException e) {
            throw new AssertionError("Every JDK has SHA-256", e);
        }
    }

    private static String os(String osName) {
        String name = osName.toLowerCase(Locale.ROOT);
        return name.startsWith("mac") ? "darwin" : name;
    }

    private static String architecture(String osArch) {
        return switch (osArch) {
            case "amd64", "x86_64" -> "amd64";
            case "aarch64", "arm64" -> "arm64";
            default -> osArch;
        };
    }
}
