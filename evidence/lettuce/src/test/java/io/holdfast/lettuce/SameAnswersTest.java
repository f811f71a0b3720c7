package io.holdfast.lettuce;

import static io.holdfast.servers.Eventually.eventually;
import static io.holdfast.servers.Eventually.result;
import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.holdfast.lease.FencingToken;
import io.holdfast.lease.LockMode;
import io.holdfast.lease.Owner;
import io.holdfast.node.Claim;
import io.holdfast.node.LockNode;
import io.holdfast.node.NodeAdmin;
import io.holdfast.node.NodeSettings;
import io.holdfast.node.NodeStanding;
import io.holdfast.node.QuarantineProbe;
import io.holdfast.node.QuorumConfig;
import io.holdfast.node.Reply;
import io.holdfast.node.WaitTicket;
import io.holdfast.node.WakeUp;
import io.holdfast.node.memory.InMemoryNode;
import io.holdfast.servers.Appendonly;
import io.holdfast.servers.Eventually;
import io.holdfast.servers.PatientOptions;
import io.holdfast.servers.RedisServer;
import io.holdfast.servers.binary.RedisBinary;
import io.holdfast.testkit.fault.ServerClock;
import io.holdfast.time.Moment;
import io.holdfast.time.SystemTime;
import io.holdfast.time.Time;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Queue;
import java.util.Random;
import java.util.Set;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * Sends the same random commands to the in-memory node, which the simulation uses, and to real servers. Both must reply
 * the same and store the same. During a command, the clocks of the node and of the server stop, so that a slow machine
 * changes nothing. After long steps, no time to live ends near a step; after short ones, reservations and standing
 * claims still last.
 */
@Tag("server")
@Execution(ExecutionMode.CONCURRENT)
class SameAnswersTest {

    private static final int COMMANDS = 600;
    /** If no standing claim was carried out before, or no server could take its fast path. */
    private static final int MOST_COMMANDS = 20 * COMMANDS;

    private static final Duration STEP = Duration.ofSeconds(160);
    private static final List<Duration> TTLS = List.of(Duration.ofSeconds(80), Duration.ofSeconds(240));
    /** Seconds from the clock at which fences are proposed; 10 s and more are too far ahead. */
    private static final List<Integer> FENCE_OFFSETS = List.of(-2_000, -300, -20, 0, 0, 0, 3, 60);

    private static final Set<Claim.Action> IN_BATCHES = Set.of(Claim.Action.ACQUIRE, Claim.Action.RELEASE);
    private static final List<String> ANY = List.of("a", "b");
    private static final String HANDED_OVER = "handed-over";
    private static final List<String> RESOURCES = List.of("a", "b", HANDED_OVER);
    /** Two clients, and one that has ended without leaving the queue. */
    private static final List<String> INBOXES = List.of("here", "there", "gone");

    /** Half the age up to which a standing claim is carried out. */
    private static final long MAX_CLAIM_AGE_MICROS = 250_000;

    /** The most that passes between two commands if no step is made. */
    private static final int PAUSE_MICROS = 20_000;

    private static final Duration TOLERANCE = Duration.ofMillis(2);
    private static final QuorumConfig CONFIG = new QuorumConfig(1, Duration.ofMinutes(4));
    /** The configuration of the client "there", which has another set of nodes as well. */
    private static final QuorumConfig BOTH = CONFIG.beside(new QuorumConfig(3, Duration.ofMinutes(1)));

    /** The probes of a node in quarantine after a restart. */
    private static final int PROBES = 8;
    /** The agreements that an administrator writes; the last two are of another change, and of another set. */
    private static final List<QuorumConfig> AGREED = List.of(
            CONFIG,
            CONFIG,
            CONFIG,
            BOTH,
            BOTH,
            CONFIG.beside(new QuorumConfig(5, Duration.ofMinutes(1))),
            new QuorumConfig(3, Duration.ofMinutes(4)));

    @TempDir
    private Path directory;

    private final List<String> history = new ArrayList<>();
    private final SharedClock time = new SharedClock();
    private final InMemoryNode memory = InMemoryNode.guarded("memory", time);
    private final Map<String, List<WakeUp>> wakeUpsOfMemory = new ConcurrentHashMap<>();
    private final Map<String, List<WakeUp>> wakeUpsOfServer = new ConcurrentHashMap<>();
    private Random random = new Random();
    private long lastFence;
    private long lastStepMicros;
    private final Queue<Claim> planned = new ArrayDeque<>();
    /** The planned claim before which the server restarts with its memory. */
    private @Nullable Claim afterRestart;

    private boolean hadFastPath;

    static List<RedisBinary> servers() {
        return RedisBinary.all();
    }

    @ParameterizedTest
    @MethodSource("servers")
    void ask_sameRandomCommands_repliesAndStoresTheSame(RedisBinary binary) {
        assumeTrue(ServerClock.isAvailable());
        ServerClock clock = ServerClock.in(directory, binary);
        // What `verify` shows is the same each time; the evidence looks for what no seed has shown yet.
        long seed = Long.getLong(
                "holdfast.seed", Boolean.getBoolean("holdfast.evidence") ? new Random().nextLong() : 20_261_126);
        random = new Random(seed);
        history.add("seed " + seed);
        try (RedisServer server = RedisServer.start(clock.options().withAppendonly(Appendonly.ALWAYS));
                SystemTime real = new SystemTime();
                LockNode here = connect(server, CONFIG, real, "here");
                LockNode there = connect(server, BOTH, real, "there")) {
            server.exec("FLUSHALL");
            advance(clock, clockOf(server));
            loadScripts(here);
            for (int i = 0; i < COMMANDS || (!hasSeenAll() && i < MOST_COMMANDS); i++) {
                advance(clock, random.nextInt(PAUSE_MICROS));
                if (planned.isEmpty()) {
                    stepOverShortTimes(server, clock);
                    planHandOver(clock);
                    planRestart(clock);
                    planCloseHolds();
                }
                command(here, there, server, clock);
                compareKeys(server);
                eventually("both send the same wake-ups, " + last(), this::areWakeUpsAlike);
            }
            assertThat(hasSeenAll())
                    .as("a standing claim carried out, a restart, and the fast path taken, %s", history.get(0))
                    .isTrue();
        }
    }

    private LockNode connect(RedisServer server, QuorumConfig config, SystemTime real, String inbox) {
        NodeSettings settings = new NodeSettings(config, true, PatientOptions.CLIENT.connectTimeout());
        LockNode node = OneWriteNode.on(server, settings, real);
        node.listen(inbox, wakeUp -> note(wakeUpsOfServer, inbox, wakeUp));
        return node;
    }

    /** Returns {@code true} after a standing claim was carried out, a restart was planned, and a fast path was open. */
    private boolean hasSeenAll() {
        return hadFastPath
                && afterRestart != null
                && wakeUpsOfMemory.values().stream().flatMap(List::stream).anyMatch(WakeUp::isGrant);
    }

    private static void note(Map<String, List<WakeUp>> wakeUps, String inbox, WakeUp wakeUp) {
        wakeUps.computeIfAbsent(inbox, unknown -> new CopyOnWriteArrayList<>()).add(wakeUp);
    }

    private boolean areWakeUpsAlike() {
        return wakeUpsOfServer.keySet().equals(wakeUpsOfMemory.keySet())
                && wakeUpsOfServer.keySet().stream()
                        .allMatch(inbox -> areAlike(
                                wakeUpsOfServer.getOrDefault(inbox, List.of()),
                                wakeUpsOfMemory.getOrDefault(inbox, List.of())));
    }

    /** Compares all but the exact end of a retained lock, which both compute from their clocks. */
    private static boolean areAlike(List<WakeUp> ours, List<WakeUp> theirs) {
        return ours.size() == theirs.size()
                && IntStream.range(0, ours.size()).allMatch(i -> isAlike(ours.get(i), theirs.get(i)));
    }

    private static boolean isAlike(WakeUp ours, WakeUp theirs) {
        boolean near = isNear(ours.retryAfter(), theirs.retryAfter());
        return near
                && ours.equals(new WakeUp(theirs.resource(), ours.retryAfter(), theirs.fence(), theirs.ownerMark()));
    }

    /**
     * Steps the clock if a reservation, which lasts 200 ms, might end on one side only, or a standing claim might grow
     * too old.
     */
    private void stepOverShortTimes(RedisServer server, ServerClock clock) {
        boolean nearItsEnd = time.micros - lastStepMicros > MAX_CLAIM_AGE_MICROS
                || RESOURCES.stream()
                        .map(resource -> (Long) server.exec("PTTL", "{" + resource + "}:holdfast:reserved"))
                        .anyMatch(left -> left >= -1 && left < WakeUp.RESERVATION.toMillis() / 2);
        if (nearItsEnd) {
            step(clock);
        }
    }

    private void step(ServerClock clock) {
        advance(clock, STEP.toNanos() / 1_000);
        lastStepMicros = time.micros;
        history.add("clock + " + STEP);
    }

    private void advance(ServerClock clock, long micros) {
        time.micros += micros;
        clock.stopAt(time.micros);
    }

    private void command(LockNode here, LockNode there, RedisServer server, ServerClock clock) {
        LockNode node = random.nextBoolean() ? here : there;
        QuorumConfig config = node == here ? CONFIG : BOTH;
        int kind = random.nextInt(100);
        if (kind < 15 && planned.isEmpty()) {
            List<Claim> claims = batch();
            listenInMemory(node == here ? "here" : "there");
            List<? extends CompletionStage<Reply>> onServer = node.askAll(claims);
            for (int i = 0; i < claims.size(); i++) {
                compare(claims.get(i), result(memory.ask(claims.get(i), config)), result(onServer.get(i)));
            }
        } else if (kind < 75 || !planned.isEmpty()) {
            Claim claim = claim();
            if (claim.equals(afterRestart)) {
                restart(here, there, server, true);
                askAfterRestart(node, config);
            }
            if (claim.ticket() != null) {
                // A client that sends a ticket has subscribed to its inbox.
                listenInMemory(node == here ? "here" : "there");
            }
            compare(claim, result(memory.ask(claim, config)), result(node.ask(claim)));
        } else if (kind < 78) {
            agree(node);
        } else if (kind < 88) {
            probe(node, random.nextInt(3) == 0 ? admission(config) : probe(config, random.nextInt(3)));
        } else if (kind < 97) {
            step(clock);
        } else if (kind < 98) {
            memory.flush();
            server.exec("FLUSHALL");
            history.add("flush");
        } else {
            restart(here, there, server, false);
        }
    }

    private void restart(LockNode here, LockNode there, RedisServer server, boolean keepsMemory) {
        memory.restart(keepsMemory);
        INBOXES.forEach(memory::unlisten);
        if (keepsMemory) {
            server.restartKeepingMemory();
        } else {
            server.restartEmpty();
        }
        Claim unused = Claim.acquire("unused", new Owner("unused"), TTLS.get(0), FencingToken.NONE);
        for (LockNode client : List.of(here, there)) {
            eventually("it is back", () -> !(result(client.ask(unused.extend(TTLS.get(0)))) instanceof Reply.Failed));
        }
        loadScripts(here);
        history.add(keepsMemory ? "restart with memory" : "restart");
    }

    /** Asks the node, which may not vote, and often lets it vote again: claims that stand are of an earlier process. */
    private void askAfterRestart(LockNode node, QuorumConfig config) {
        Claim early = acquire("owner-7", LockMode.EXCLUSIVE);
        compare(early, result(memory.ask(early, config)), result(node.ask(early)));
        if (random.nextBoolean()) {
            probe(node, admission(config));
            return;
        }
        agree(node);
        for (int i = 0; i < PROBES; i++) {
            probe(node, probe(config, i));
        }
    }

    private void probe(LockNode node, QuarantineProbe probe) {
        compare(probe, result(memory.probe(probe)), result(node.probe(probe)));
    }

    private void listenInMemory(String inbox) {
        memory.listen(inbox, wakeUp -> note(wakeUpsOfMemory, inbox, wakeUp));
    }

    /**
     * Lets the server learn the scripts of batches: the first run of a script takes a second command, which later
     * claims overtake. A node that sends a batch has subscribed to its inbox.
     */
    private void loadScripts(LockNode here) {
        listenInMemory("here");
        List<Claim> claims = Stream.of("unused", "also unused")
                .map(name -> Claim.acquire(name, new Owner("unused"), TTLS.get(0), FencingToken.NONE))
                .toList();
        for (List<Claim> batch :
                List.of(claims.subList(0, 1), List.of(claims.get(0).withdraw()), claims)) {
            batch.forEach(memory::ask);
            here.askAll(batch).forEach(Eventually::result);
        }
    }

    /** Returns a random claim of few owners, so that claims of the same and of different owners meet. */
    private Claim claim() {
        return planned.isEmpty() ? anyClaim() : planned.remove();
    }

    /** Returns claims that a client sends together, of the same and of different locks. */
    private List<Claim> batch() {
        List<Claim> claims = new ArrayList<>();
        while (claims.isEmpty() || random.nextInt(4) > 0) {
            Claim claim = random.nextInt(3) == 0
                    ? closeClaim()
                    : anyClaim().withMode(LockMode.EXCLUSIVE).withTicket(null);
            if (IN_BATCHES.contains(claim.action())) {
                claims.add(claim);
            }
        }
        return claims;
    }

    /** Returns a claim of the last owners and fences: its server most likely takes its fast path. */
    private Claim closeClaim() {
        lastFence += 2;
        Claim acquire = Claim.acquire(
                ANY.get(random.nextInt(ANY.size())),
                new Owner("owner-" + random.nextInt(2)),
                TTLS.get(0),
                new FencingToken(lastFence));
        return random.nextBoolean() ? acquire : random.nextBoolean() ? acquire.release() : acquire.withdraw();
    }

    /** Plans from time to time a claim that stands while its server restarts with its memory. */
    private void planRestart(ServerClock clock) {
        if (random.nextInt(30) != 0) {
            return;
        }
        step(clock);
        Claim holder = acquire("owner-4", LockMode.EXCLUSIVE);
        WaitTicket ticket = new WaitTicket("here", 1, false, LockMode.EXCLUSIVE);
        afterRestart = holder.release();
        planned.addAll(List.of(holder, acquire("owner-5", LockMode.EXCLUSIVE).withTicket(ticket), afterRestart));
    }

    /** Plans from time to time a hold of a free lock, waiters with standing claims, and the release. */
    private void planHandOver(ServerClock clock) {
        if (random.nextInt(8) != 0) {
            return;
        }
        step(clock);
        Claim holder = acquire("owner-4", mode()).withFollowers(random.nextInt(3));
        planned.add(holder);
        for (int i = random.nextInt(3); i >= 0; i--) {
            LockMode mode = mode();
            Claim waiter = acquire("owner-" + (5 + i), mode).withTicket(ticket(mode));
            planned.add(waiter);
            if (random.nextInt(4) == 0) {
                planned.add(waiter.withTicket(null).withdraw());
            }
        }
        planned.add(
                switch (random.nextInt(6)) {
                    case 0 -> holder.withdraw();
                    case 1 -> holder.release().covering(new FencingToken(lastFence + 100));
                    default -> holder.release();
                });
    }

    /**
     * Plans holds from time to time whose fences lie close together: a server grants the later ones on its fast path.
     */
    private void planCloseHolds() {
        if (random.nextInt(20) != 0) {
            return;
        }
        long first = time.micros & ~1L;
        for (int i = 0; i < 4; i++) {
            Claim holder = Claim.acquire("b", new Owner("owner-" + i), TTLS.get(0), new FencingToken(first + 100L * i));
            planned.add(holder);
            planned.add(random.nextInt(8) == 0 ? holder.retain(TTLS.get(0)) : holder.release());
            if (random.nextInt(4) == 0) {
                planned.add(random.nextBoolean() ? holder.extend(TTLS.get(1)) : holder);
            }
        }
    }

    private Claim acquire(String owner, LockMode mode) {
        lastFence = Math.max(lastFence + 100, time.micros & ~1L);
        return Claim.acquire(HANDED_OVER, new Owner(owner), TTLS.get(0), new FencingToken(lastFence))
                .withMode(mode);
    }

    private Claim anyClaim() {
        long offset = FENCE_OFFSETS.get(random.nextInt(FENCE_OFFSETS.size())) * 1_000_000L;
        String resource = ANY.get(random.nextInt(ANY.size()));
        long known = random.nextBoolean() ? lastFence : memory.fence(resource).value() & ~1L;
        long fence = random.nextInt(3) == 0 && known > 0 ? known : time.micros + offset & ~1L;
        lastFence = fence;
        Owner owner = new Owner("owner-" + random.nextInt(4));
        Duration ttl = TTLS.get(random.nextInt(TTLS.size()));
        LockMode mode = mode();
        Claim acquire = Claim.acquire(resource, owner, ttl, new FencingToken(fence))
                .withFollowers(random.nextInt(3))
                .withMode(mode)
                .withTicket(ticket(mode));
        return switch (random.nextInt(12)) {
            case 0 -> acquire.extend(ttl);
            case 1 -> acquire.repair(ttl, new FencingToken(random.nextBoolean() && known > 0 ? known : fence));
            case 2 -> acquire.release();
            case 3 -> acquire.release().covering(new FencingToken(fence + 2L * random.nextInt(4)));
            case 4 -> acquire.withTicket(ticket(mode())).release().withRequeue(true);
            case 5 -> acquire.retain(ttl);
            case 6 -> acquire.withdraw();
            case 7 -> acquire.withTicket(ticket(mode())).withdraw().withRequeue(true);
            case 8 ->
                acquire.withMode(LockMode.EXCLUSIVE)
                        .withTicket(ticket(LockMode.EXCLUSIVE))
                        .query();
            default -> acquire;
        };
    }

    private LockMode mode() {
        return random.nextBoolean() ? LockMode.SHARED : LockMode.EXCLUSIVE;
    }

    private @Nullable WaitTicket ticket(LockMode mode) {
        String inbox = INBOXES.get(random.nextInt(INBOXES.size()));
        return random.nextInt(3) == 0 ? null : new WaitTicket(inbox, random.nextInt(100), random.nextInt(3) == 0, mode);
    }

    /** Changes which clients the node accepts, or fails to do so, since another administrator has changed it. */
    private void agree(LockNode node) {
        QuorumConfig next = AGREED.get(random.nextInt(AGREED.size()));
        String mark = random.nextInt(4) == 0
                ? "another"
                : result(memory.admin().agreement()).mark();
        NodeAdmin.Agreement agreement =
                new NodeAdmin.Agreement(next, random.nextInt(5) + ":" + random.nextInt(1_000), floor());
        compare(
                mark + " -> " + agreement,
                result(memory.admin().agree(mark, agreement)),
                result(node.admin().agree(mark, agreement)));
        compare(
                "agreement",
                result(memory.admin().agreement()),
                result(node.admin().agreement()));
    }

    private QuarantineProbe admission(QuorumConfig config) {
        return QuarantineProbe.admission("admin-" + random.nextInt(1_000), floor(), config);
    }

    private QuarantineProbe probe(QuorumConfig config, int number) {
        Duration observed = Duration.ofSeconds(100L * random.nextInt(4));
        FencingToken floor = random.nextBoolean() ? floor() : null;
        return new QuarantineProbe(
                "probe-" + number,
                "probe-" + (number + 1),
                random.nextBoolean(),
                observed,
                config.quarantine(),
                floor,
                config,
                agreed(config),
                "",
                null);
    }

    private NodeStanding.@Nullable Agreed agreed(QuorumConfig config) {
        String mark = random.nextBoolean() ? "" : random.nextInt(3) + ":of-others/x";
        boolean isClosed = config.isClosed() && random.nextBoolean();
        return random.nextBoolean() ? null : new NodeStanding.Agreed(isClosed, mark);
    }

    private FencingToken floor() {
        return new FencingToken(time.micros - 1_000_000L * random.nextInt(1_000));
    }

    private void compare(Object request, Object inMemory, Object onServer) {
        history.add(request + "\n  memory: " + inMemory + "\n  server: " + onServer);
        assertThat(isAlike(inMemory, onServer)).as("%s", last()).isTrue();
    }

    private static boolean isAlike(Object inMemory, Object onServer) {
        if (inMemory instanceof Reply.Refused ours && onServer instanceof Reply.Refused theirs) {
            return ours.fence().equals(theirs.fence())
                    && ours.holder().equals(theirs.holder())
                    && isNear(ours.timeLeft(), theirs.timeLeft())
                    && Math.abs(ours.clockMicros() - theirs.clockMicros()) < TOLERANCE.toNanos() / 1_000;
        } else if (inMemory instanceof Reply.Ahead ours && onServer instanceof Reply.Ahead theirs) {
            return Math.abs(ours.present().value() - theirs.present().value()) < TOLERANCE.toNanos() / 1_000;
        } else if (inMemory instanceof Reply.Quarantined && onServer instanceof Reply.Quarantined) {
            return true;
        }
        return inMemory.equals(onServer);
    }

    private static boolean isNear(Duration ours, Duration theirs) {
        return ours.isZero() == theirs.isZero() && ours.minus(theirs).abs().compareTo(TOLERANCE) < 0;
    }

    private void compareKeys(RedisServer server) {
        for (String resource : RESOURCES) {
            Owner owner = memory.ownerOf(resource);
            assertThat(server.exec("GET", resource)).as("%s", last()).isEqualTo(owner == null ? null : owner.token());
            assertThat(number(server.exec("GET", "{" + resource + "}:holdfast:fence")))
                    .as("fence of %s, %s", resource, last())
                    .isEqualTo(memory.fence(resource).value());
            assertThat(server.exec("ZRANGE", "{" + resource + "}:holdfast:queue", "0", "-1"))
                    .as("queue of %s, %s", resource, last())
                    .isEqualTo(memory.waitQueue(resource));
            assertThat(server.exec("GET", "{" + resource + "}:holdfast:reserved"))
                    .as("reservation of %s, %s", resource, last())
                    .isEqualTo(memory.reservedFor(resource));
        }
        hadFastPath |= server.exec("HGET", "holdfast:marker", "summary") != null;
        long floor = number(server.exec("HGET", "holdfast:marker", "floor"));
        long gmax = number(server.exec("HGET", "holdfast:marker", "gmax"));
        assertThat(Math.max(floor, gmax))
                .as("%s", last())
                .isEqualTo(memory.fenceBound().value());
    }

    private static long number(@Nullable Object digits) {
        return digits == null ? 0 : Long.parseLong(digits.toString());
    }

    private String last() {
        return history.get(0) + ", command " + history.size() + ":\n"
                + String.join("\n", history.subList(Math.max(1, history.size() - 12), history.size()));
    }

    private static long clockOf(RedisServer server) {
        List<?> now = (List<?>) Objects.requireNonNull(server.exec("TIME"));
        return Long.parseLong((String) now.get(0)) * 1_000_000 + Long.parseLong((String) now.get(1));
    }

    /** The clock of the in-memory node, which always shows the time of the server's clock. */
    private static final class SharedClock implements Time {

        private long micros;

        @Override
        public Moment now() {
            return new Moment(micros * 1_000, micros);
        }

        @Override
        public Timer schedule(Duration delay, Runnable task) {
            throw new IllegalStateException("A node in memory needs no timer");
        }

        @Override
        public void execute(Runnable task) {
            task.run();
        }
    }
}
