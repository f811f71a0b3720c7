package io.holdfast.scoreboard;

import io.holdfast.scoreboard.contestant.Library;
import io.holdfast.scoreboard.server.FailingServers;
import io.holdfast.scoreboard.server.Networks;
import io.holdfast.scoreboard.server.Setup;
import io.holdfast.scoreboard.witness.Event;
import io.holdfast.scoreboard.witness.Event.Kind;
import io.holdfast.scoreboard.witness.Strike;
import io.holdfast.scoreboard.witness.Witness;
import io.holdfast.testkit.fault.Direction;
import io.holdfast.testkit.fault.ServerClock;
import io.holdfast.testkit.fault.ServerDisk;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Random;
import java.util.concurrent.TimeUnit;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/** One contestant and one fault: three processes count, the fault strikes one of them while it holds the lock. */
final class Cell implements AutoCloseable {

    private static final Duration START_LIMIT = Duration.ofMinutes(2);
    private static final Duration SERVER_DOWN = Duration.ofSeconds(3);
    private static final Duration LEAVE_LIMIT = Duration.ofSeconds(10);
    private static final Duration CLOCK_STEP = Duration.ofMinutes(1);
    private static final int WRITES_OF_OTHERS = 2;

    private final FaultKind fault;
    private final Limits limits;
    private final int victim;
    private final Duration work;
    private final @Nullable ServerClock serverClock;
    private final @Nullable ServerDisk serverDisk;
    private final List<ServerClock> clientClocks = new ArrayList<>();
    private final FailingServers servers;
    private final Networks networks;
    private final Witness witness;
    private final Clients clients;
    private int struckAt;

    private Cell(Library library, FaultKind fault, Limits limits, long seed, Path directory) throws IOException {
        this.fault = fault;
        this.limits = limits;
        this.victim = new Random(seed).nextInt(limits.clients());
        this.work = library.renews() ? limits.work() : limits.unrenewedWork();
        this.serverClock = fault.setsServerClock() ? clock(directory, "server") : null;
        this.serverDisk = fault == FaultKind.DISK_STALLED ? ServerDisk.in(made(directory, "disk")) : null;
        this.servers = library.kind()
                .start(new Setup(library.nodes(), fault == FaultKind.FAILED_OVER, serverClock, serverDisk));
        this.networks = new Networks(limits.clients(), servers.uris());
        this.witness = Witness.start(library.checksTokens(), seed);
        this.clients = new Clients(library, witness.port(), directory.resolve("clients.log"));
        for (int client = 0; client < limits.clients(); client++) {
            if (fault.setsClientClock()) {
                clientClocks.add(clock(directory, "client" + client));
            }
        }
    }

    private static ServerClock clock(Path directory, String name) throws IOException {
        return ServerClock.in(made(directory, name));
    }

    private static Path made(Path directory, String name) throws IOException {
        return Files.createDirectories(directory.resolve(name));
    }

    /**
     * Runs the cell.
     *
     * @param directory an empty directory for files of the processes
     * @return the history
     */
    static List<Event> run(Library library, FaultKind fault, Limits limits, long seed, Path directory)
            throws IOException, InterruptedException {
        try (Cell cell = new Cell(library, fault, limits, seed, directory)) {
            return cell.run();
        }
    }

    private List<Event> run() throws IOException, InterruptedException {
        for (int client = 0; client < limits.clients(); client++) {
            clients.start(
                    networks,
                    clientClocks.isEmpty() ? Map.of() : clientClocks.get(client).environment());
        }
        requireStarted(awaitUpdates(0, START_LIMIT));
        Strike strike = witness.strikeNext(victim);
        strike.begun().orTimeout(START_LIMIT.toSeconds(), TimeUnit.SECONDS).join();
        struckAt = witness.size();
        witness.record(victim, Kind.FAULT);
        long begin = System.nanoTime();
        strike();
        awaitOthers(fault.stopsTheHolder() ? limits.fault() : work.minusNanos(System.nanoTime() - begin));
        strike.finish();
        heal();
        awaitUpdates(witness.size(), limits.recovery());
        return witness.end();
    }

    /** Waits until each living client has written, or tried to, and returns how many have. */
    private int awaitUpdates(int first, Duration limit) throws InterruptedException {
        long end = System.nanoTime() + limit.toNanos();
        int count = 0;
        for (int client = 0; client < limits.clients(); client++) {
            int each = client;
            if (clients.isAlive(client)
                    && witness.await(
                            first,
                            event -> event.client() == each && isUpdate(event),
                            1,
                            Duration.ofNanos(end - System.nanoTime()))) {
                count++;
            }
        }
        return count;
    }

    private static boolean isUpdate(Event event) {
        return event.kind() == Kind.WROTE || event.kind() == Kind.REFUSED;
    }

    private boolean awaitOthers(Duration limit) throws InterruptedException {
        Predicate<Event> others = event -> event.client() != victim && isUpdate(event);
        return witness.await(struckAt, others, WRITES_OF_OTHERS, limit);
    }

    private void strike() throws InterruptedException {
        switch (fault) {
            case HOLDER_PAUSED -> {
                clients.stop(victim);
                witness.record(victim, Kind.STOPPED);
            }
            case CLIENT_KILLED -> {
                clients.kill(victim);
                // The witness does not read from the connection of a client that works.
                witness.record(victim, Kind.GONE);
            }
            case REQUESTS_CUT -> networks.cut(victim, Direction.REQUESTS);
            case REPLIES_CUT -> networks.cut(victim, Direction.REPLIES);
            case SERVER_KILLED -> {
                servers.kill();
                awaitOthers(SERVER_DOWN);
                servers.restart();
            }
            case RESTARTED_EMPTY -> servers.restartEmpty();
            case FAILED_OVER -> servers.failOver(networks);
            case ALL_IN_TURN -> servers.restartInTurn();
            case SERVER_CLOCK_FORWARD -> set(serverClock, CLOCK_STEP);
            case SERVER_CLOCK_BACK -> set(serverClock, CLOCK_STEP.negated());
            case CLIENT_CLOCK_FORWARD -> set(clientClocks.get(victim), CLOCK_STEP);
            case CLIENT_CLOCK_BACK -> set(clientClocks.get(victim), CLOCK_STEP.negated());
            case DISK_STALLED -> stall(Objects.requireNonNull(serverDisk));
        }
    }

    private void stall(ServerDisk disk) throws InterruptedException {
        disk.stall();
        awaitOthers(SERVER_DOWN);
        disk.recover();
    }

    private static void set(@Nullable ServerClock clock, Duration offset) {
        if (clock != null) {
            clock.set(offset);
        }
    }

    /** Ends what does not end by itself. A wrong clock stays wrong. */
    private void heal() throws InterruptedException {
        if (fault == FaultKind.HOLDER_PAUSED) {
            clients.proceed(victim);
            witness.record(victim, Kind.CONTINUED);
        }
        witness.await(
                struckAt,
                event -> event.client() == victim && (event.kind() == Kind.RELEASED || event.kind() == Kind.GONE),
                1,
                LEAVE_LIMIT);
        if (fault == FaultKind.REQUESTS_CUT || fault == FaultKind.REPLIES_CUT) {
            // The lock of a holder that could not release it has to expire first.
            awaitOthers(limits.fault());
            networks.restore(victim);
        }
        witness.record(victim, Kind.HEALED);
    }

    private void requireStarted(int writers) {
        if (writers < limits.clients()) {
            throw new IllegalStateException("Only " + writers + " of " + limits.clients()
                    + " clients could write within " + START_LIMIT.toSeconds() + " s, before any fault");
        }
    }

    @Override
    public void close() throws IOException {
        clients.close();
        witness.close();
        networks.close();
        servers.close();
    }
}
