package io.holdfast.servers;

import io.holdfast.servers.binary.RedisBinary;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.math.BigInteger;
import java.net.URI;
import java.nio.channels.FileChannel;
import java.nio.channels.FileLock;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.SecureRandom;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
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

    /** The greatest number of servers. */
    public static final int MAX_COUNT = 9;

    private static final Duration PROBE_TIMEOUT = Duration.ofMillis(500);

    /** Contains a port and a password per line. */
    private static final String MEMBERS = "servers";

    private static final Path PROCESSES = Path.of("/proc");

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
        return isOwn(runtime)
                ? runtime.resolve("holdfast")
                : Path.of(System.getProperty("java.io.tmpdir"), "holdfast-" + userName());
    }

    /** Returns the name, or the number of a user that the system does not know: Java calls each such user `?`. */
    private static String userName() {
        try {
            return PrivateDirectory.thisUser().getName();
        } catch (IOException e) {
            throw new UncheckedIOException("cannot find out which user runs this process", e);
        }
    }

    /** Returns whether the directory belongs to this user; `su` and `sudo` may pass on that of another user. */
    private static boolean isOwn(Path runtime) {
        try {
            return Files.isDirectory(runtime) && Files.getOwner(runtime).equals(PrivateDirectory.thisUser());
        } catch (IOException e) {
            return false;
        }
    }

    /**
     * Returns all servers that were started and not stopped, with their current state, in the order in which they were
     * started. Waits for a process that is starting servers.
     */
    public List<Member> members() {
        PrivateDirectory.open(root);
        List<Member> members = readMembers();
        // Without a lock, which takes a start of the command 2 ms. The file is replaced in one step.
        boolean isComplete = !members.isEmpty() && members.stream().allMatch(Member::isUp);
        return isComplete ? members : exclusively(this::readMembers);
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
                throw new IllegalArgumentException(
                        known.size() + (known.size() == 1 ? " local server is" : " local servers are")
                                + " running; run `holdfast local down` before starting " + count);
            }
            boolean isReusable = known.size() == count && known.stream().noneMatch(LocalServers::isPortTaken);
            List<Member> planned = anyUp || isReusable ? known : plan(count);
            planned.forEach(LocalServers::requireFreePort);
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

    private static boolean isPortTaken(Member member) {
        return !member.isUp() && !FreePorts.isFree(member.port());
    }

    private static void requireFreePort(Member member) {
        if (isPortTaken(member)) {
            throw new IllegalStateException("another program uses port " + member.port()
                    + " of a local server; run `holdfast local down`, then new servers get other ports");
        }
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
        ServerDirectory directory = directory(index);
        long pid = ServerProcess.startDetached(RedisBinary.find(), directory, member.port(), options);
        if (isNew) {
            ServerProcess.admit(member.port(), member.password());
        }
        return new Member(member.port(), pid, member.password());
    }

    private ServerDirectory directory(int index) {
        try {
            return ServerDirectory.keep(PrivateDirectory.open(root).subdirectory(name(index)));
        } catch (IOException e) {
            throw new UncheckedIOException("cannot open the directory of server " + index + " in " + root, e);
        }
    }

    private static String name(int index) {
        return "server-" + index;
    }

    private List<Member> readMembers() {
        List<Member> members = new ArrayList<>();
        try {
            for (String line : Files.exists(file()) ? Files.readAllLines(file()) : List.<String>of()) {
                String[] words = line.split(" ", -1);
                Path pidFile = ServerDirectory.pidFile(root.resolve(name(members.size())));
                members.add(probe(pidFile, Integer.parseInt(words[0]), words[1]));
            }
        } catch (IOException | IndexOutOfBoundsException | NumberFormatException e) {
            throw new IllegalStateException("cannot read " + file() + "; delete it and start again", e);
        }
        return List.copyOf(members);
    }

    /** A server that is up has the process id in its own file: another program on its port may report any id. */
    private static Member probe(Path pidFile, int port, String password) {
        try {
            long pid = Long.parseLong(Files.readString(pidFile).strip());
            return new Member(port, isReplying(pid, port, password) ? pid : 0, password);
        } catch (IOException | NumberFormatException neverStarted) {
            return new Member(port, 0, password);
        }
    }

    private static boolean isReplying(long pid, int port, String password) {
        if (!isAlive(pid)) {
            return false;
        }
        try (RespClient client = ServerProcess.connect(port, PROBE_TIMEOUT, password)) {
            return ServerProcess.processId(client) == pid;
        } catch (IOException | RedisReplyException | NumberFormatException down) {
            return false;
        }
    }

    /** Asks {@code /proc} first: the first handle of a process takes a start of the command more than a millisecond. */
    private static boolean isAlive(long pid) {
        return Files.exists(PROCESSES.resolve("self"))
                ? Files.exists(PROCESSES.resolve(Long.toString(pid)))
                : ProcessHandle.of(pid).isPresent();
    }

    private void write(List<Member> members) {
        List<String> lines = members.stream()
                .map(member -> member.port() + " " + member.password())
                .toList();
        try {
            PrivateDirectory.open(root).write(MEMBERS, lines);
        } catch (IOException e) {
            throw new UncheckedIOException("cannot write " + file(), e);
        }
    }

    private Path file() {
        return root.resolve(MEMBERS);
    }

    private <T> T exclusively(Supplier<T> action) {
        try (FileChannel channel = PrivateDirectory.open(root).openLockFile("lock");
                FileLock lock = channel.lock()) {
            assert lock.isValid();
            return action.get();
        } catch (IOException e) {
            throw new UncheckedIOException("cannot lock " + root, e);
        }
    }
}
