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
 * Independent redis-servers of one user on this machine, for trying things out. They outlive the process that started
 * them, and every process of the user finds the same servers. They listen on the loopback address, require a password,
 * and store nothing on disk.
 *
 * <p>Thread-safe; processes that start or stop the servers at the same time take turns.
 */
public final class LocalServers {

    /** The environment variable that names a directory to use instead of the default one. */
    public static final String VARIABLE = "HOLDFAST_LOCAL_DIR";

    /** The default number of servers: three is the smallest number that survives the loss of one. */
    public static final int DEFAULT_COUNT = 3;

    private static final int MAX_COUNT = 9;
    private static final Duration PROBE_TIMEOUT = Duration.ofMillis(500);

    private static final Set<PosixFilePermission> PRIVATE = PosixFilePermissions.fromString("rwx------");

    private final Path root;

    private LocalServers(Path root) {
        this.root = root;
    }

    /**
     * The state of one server.
     *
     * @param port its port on the loopback address
     * @param pid its process id; 0 if it was down
     * @param password the password that clients must send
     */
    public record Member(int port, long pid, String password) {

        public boolean isUp() {
            return pid > 0;
        }

        /** Returns the address for clients, with the password. */
        public URI uri() {
            return URI.create("redis://:" + password + "@127.0.0.1:" + port);
        }

        @Override
        public String toString() {
            return "127.0.0.1:" + port + (isUp() ? ", pid " + pid : ", down");
        }
    }

    /**
     * Returns the servers of this user. Their directory is the one that {@value #VARIABLE} names, else it is in the
     * user's runtime directory, else in the directory for temporary files.
     */
    public static LocalServers ofThisUser() {
        return in(directory(System.getenv()));
    }

    /** Returns the servers in this directory. */
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

    /**
     * Returns all servers that were started and not stopped, with their current state, in the order in which they were
     * started.
     */
    public List<Member> members() {
        return exclusively(this::readMembers);
    }

    /**
     * Starts the servers that are missing; running ones are not touched. A server that was down restarts empty on its
     * port, and is in quarantine if other servers were running.
     *
     * @param count 1 to 9; must be the same as the last time unless all servers are down
     * @return all servers
     * @throws IllegalArgumentException if the count is not allowed
     */
    public List<Member> up(int count) {
        if (count < 1 || count > MAX_COUNT) {
            throw new IllegalArgumentException("count " + count + " is not between 1 and " + MAX_COUNT);
        }
        return exclusively(() -> {
            List<Member> known = readMembers();
            boolean anyUp = known.stream().anyMatch(Member::isUp);
            if (anyUp && known.size() != count) {
                throw new IllegalArgumentException("count " + count + ", but " + known.size()
                        + " servers belong together already; stop them first with `holdfast local down`");
            }
            List<Member> planned = known.size() == count ? known : plan(count);
            List<Member> started = new ArrayList<>();
            for (int i = 0; i < count; i++) {
                started.add(start(i, planned.get(i), !anyUp));
            }
            write(started);
            return List.copyOf(started);
        });
    }

    /** Stops all servers and returns how many were running. */
    public int down() {
        return exclusively(() -> {
            List<Member> up = readMembers().stream().filter(Member::isUp).toList();
            up.forEach(member -> ProcessHandle.of(member.pid()).ifPresent(ProcessHandle::destroyForcibly));
            write(List.of());
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

    private List<Member> readMembers() {
        try {
            return !Files.exists(file())
                    ? List.of()
                    : Files.readAllLines(file()).stream()
                            .map(line -> line.split(" "))
                            .map(words -> probe(Integer.parseInt(words[0]), words[1]))
                            .toList();
        } catch (IOException | RuntimeException e) {
            throw new IllegalStateException("Cannot read " + file() + "; delete it and start again", e);
        }
    }

    private static Member probe(int port, String password) {
        try (RespClient client = ServerProcess.connect(port, PROBE_TIMEOUT, password)) {
            return new Member(port, ServerProcess.processId(client), password);
        } catch (IOException | RedisReplyException down) {
            return new Member(port, 0, password);
        }
    }

    private void write(List<Member> members) {
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

    /** Creates the directory so that only this user can read it, because it contains the passwords. */
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
                throw new IllegalStateException(
                        root + " can be accessed by other users; delete it or let " + VARIABLE + " name another place");
            }
        } catch (IOException e) {
            throw new UncheckedIOException("Cannot create " + root + "; let " + VARIABLE + " name another place", e);
        }
    }
}
