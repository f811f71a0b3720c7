package io.holdfast.servers;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.math.BigInteger;
import java.net.URI;
import java.nio.channels.FileChannel;
import java.nio.channels.FileLock;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.PosixFilePermission;
import java.nio.file.attribute.PosixFilePermissions;
import java.security.SecureRandom;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Supplier;
import java.util.stream.IntStream;

/**
 * Independent redis-servers of one user on this machine, for trying things out: they outlive the process that started them,
 * and every process of the user finds the same ones. They listen on the loopback address, want a password, and keep nothing
 * on disk.
 *
 * <p>Thread-safe; processes that start or end them at the same time take turns.
 */
public final class LocalServers {

    /** The environment variable that names another directory than the user's own. */
    public static final String VARIABLE = "HOLDFAST_LOCAL_DIR";

    /** Three: the smallest number that survives the loss of one. */
    public static final int DEFAULT_COUNT = 3;

    private static final int MAX_COUNT = 9;
    private static final Duration PROBE_TIMEOUT = Duration.ofMillis(500);

    private static final Set<PosixFilePermission> PRIVATE = PosixFilePermissions.fromString("rwx------");

    private final Path root;

    private LocalServers(Path root) {
        this.root = root;
    }

    /**
     * One server.
     *
     * @param port where it listens on the loopback address
     * @param pid its process when it was looked at; 0 if it was down
     * @param password what clients have to say
     */
    public record Member(int port, long pid, String password) {

        public boolean isUp() {
            return pid > 0;
        }

        /** Where clients connect to, with the password. */
        public URI uri() {
            return URI.create("redis://:" + password + "@127.0.0.1:" + port);
        }

        @Override
        public String toString() {
            return "127.0.0.1:" + port + (isUp() ? ", pid " + pid : ", down");
        }
    }

    /** Those in the directory that {@value #VARIABLE} names, else in the user's runtime directory, else below that for temporary files. */
    public static LocalServers ofThisUser() {
        return in(directory(System.getenv()));
    }

    /** Those in this directory. */
    public static LocalServers in(Path directory) {
        return new LocalServers(directory.toAbsolutePath());
    }

    static Path directory(Map<String, String> environment) {
        String named = environment.getOrDefault(VARIABLE, "");
        if (!named.isEmpty()) {
            return Path.of(named);
        }
        Path runtime = Path.of(environment.getOrDefault("XDG_RUNTIME_DIR", "/nonexistent"));
        return Files.isWritable(runtime)
                ? runtime.resolve("holdfast")
                : Path.of(System.getProperty("java.io.tmpdir"), "holdfast-" + System.getProperty("user.name"));
    }

    /** All that were started and not ended, and whether they are up now; by port number as they were started. */
    public List<Member> members() {
        return exclusively(this::look);
    }

    /**
     * Starts as many as are missing; what is up stays as it is. One that was down comes back empty, on its port, and
     * in quarantine while others are up.
     *
     * @param count 1 to 9, and the same as the last time unless all are down
     * @return all of them
     * @throws IllegalArgumentException if the count cannot be
     */
    public List<Member> up(int count) {
        if (count < 1 || count > MAX_COUNT) {
            throw new IllegalArgumentException("count " + count + " is not between 1 and " + MAX_COUNT);
        }
        return exclusively(() -> {
            List<Member> known = look();
            boolean anyUp = known.stream().anyMatch(Member::isUp);
            if (anyUp && known.size() != count) {
                throw new IllegalArgumentException("count " + count + ", but " + known.size()
                        + " servers belong together already; end them first with `holdfast local down`");
            }
            List<Member> planned = known.size() == count ? known : plan(count);
            List<Member> started = new ArrayList<>();
            for (int i = 0; i < count; i++) {
                started.add(start(i, planned.get(i), !anyUp));
            }
            remember(started);
            return List.copyOf(started);
        });
    }

    /** Ends all of them. Returns how many were up. */
    public int down() {
        return exclusively(() -> {
            List<Member> up = look().stream().filter(Member::isUp).toList();
            up.forEach(member -> ProcessHandle.of(member.pid()).ifPresent(ProcessHandle::destroyForcibly));
            remember(List.of());
            return up.size();
        });
    }

    private List<Member> plan(int count) {
        byte[] random = new byte[16];
        new SecureRandom().nextBytes(random);
        String password = new BigInteger(1, random).toString(Character.MAX_RADIX);
        return IntStream.generate(FreePorts::next)
                .distinct()
                .limit(count)
                .mapToObj(port -> new Member(port, 0, password))
                .toList();
    }

    private Member start(int index, Member member, boolean isNew) {
        if (member.isUp()) {
            return member;
        }
        RedisServerOptions options = RedisServerOptions.DEFAULT.withPassword(member.password());
        ServerDirectory directory = ServerDirectory.keep(root.resolve("server-" + index));
        long pid = ServerProcess.startDetached(RedisBinary.find(), directory, member.port(), options);
        if (isNew) {
            ServerProcess.admit(member.port(), member.password());
        }
        return new Member(member.port(), pid, member.password());
    }

    private List<Member> look() {
        try {
            return !Files.exists(file())
                    ? List.of()
                    : Files.readAllLines(file()).stream()
                            .map(line -> line.split(" "))
                            .map(words -> look(Integer.parseInt(words[0]), words[1]))
                            .toList();
        } catch (IOException | RuntimeException e) {
            throw new IllegalStateException("Cannot read " + file() + "; delete it and start anew", e);
        }
    }

    private static Member look(int port, String password) {
        try (RespClient client = ServerProcess.connect(port, PROBE_TIMEOUT, password)) {
            return new Member(port, ServerProcess.processId(client), password);
        } catch (IOException | RedisReplyException down) {
            return new Member(port, 0, password);
        }
    }

    private void remember(List<Member> members) {
        List<String> lines = members.stream()
                .map(member -> member.port() + " " + member.password())
                .toList();
        try {
            Files.write(file(), lines);
        } catch (IOException e) {
            throw new UncheckedIOException("Cannot write " + file(), e);
        }
    }

    private Path file() {
        return root.resolve("servers");
    }

    private <T> T exclusively(Supplier<T> action) {
        createRoot();
        Path lockFile = root.resolve("lock");
        try (FileChannel channel = FileChannel.open(lockFile, StandardOpenOption.CREATE, StandardOpenOption.WRITE);
                FileLock lock = channel.lock()) {
            assert lock.isValid();
            return action.get();
        } catch (IOException e) {
            throw new UncheckedIOException("Cannot lock " + lockFile, e);
        }
    }

    /** The passwords lie in it: nobody else may look, and nobody else may have made it. */
    private void createRoot() {
        try {
            Files.createDirectories(root.getParent());
            if (!Files.exists(root, LinkOption.NOFOLLOW_LINKS)) {
                Files.createDirectory(root, PosixFilePermissions.asFileAttribute(PRIVATE));
            }
            boolean ours = Files.isWritable(root)
                    && Files.getPosixFilePermissions(root, LinkOption.NOFOLLOW_LINKS)
                            .equals(PRIVATE);
            if (!ours) {
                throw new IllegalStateException(root + " is open to others or belongs to one; delete it or let "
                        + VARIABLE + " name another place");
            }
        } catch (IOException e) {
            throw new UncheckedIOException("Cannot create " + root + "; let " + VARIABLE + " name another place", e);
        }
    }
}
