package io.holdfast.scoreboard.witness;

import io.holdfast.scoreboard.witness.Event.Kind;
import io.holdfast.testkit.LineServer;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.concurrent.TimeUnit;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/**
 * Keeps the counter that the lock guards, without using the lock. Its clock is the only one of a run. A client sends a
 * line and waits for the line that answers it: {@code client N}, then {@code ask}, {@code got TOKEN}, {@code read},
 * {@code work}, which is answered when the client may go on, {@code write VALUE}, {@code release}, {@code failed}. On
 * another connection, it sends {@code lost HOLD} when it was notified of a loss; holds are counted from one.
 */
public final class Witness implements AutoCloseable {

    private static final Duration LONGEST_WORK = Duration.ofMillis(80);
    private static final int SHORTEST_WORK_PARTS = 4;

    private final LineServer server;
    private final boolean checksTokens;
    private final Random random;
    private final long longestWorkNanos;
    private final long start = System.nanoTime();
    private final List<Event> history = new ArrayList<>();
    private final Map<Integer, Long> tokens = new HashMap<>();
    private final Map<Integer, Integer> holds = new HashMap<>();
    private final Map<Integer, Integer> lostHolds = new HashMap<>();
    private long counter;
    private long greatestToken;
    private @Nullable Strike strike;

    private Witness(boolean checksTokens, long seed, Duration longestWork) throws IOException {
        this.checksTokens = checksTokens;
        this.random = new Random(seed);
        this.longestWorkNanos = longestWork.toNanos();
        this.server = LineServer.start(Connection::new);
    }

    /**
     * Starts a witness.
     *
     * @param checksTokens whether the counter refuses a write with a smaller token than it has seen
     * @param seed the seed of the times that clients work
     */
    public static Witness start(boolean checksTokens, long seed) throws IOException {
        return start(checksTokens, seed, LONGEST_WORK);
    }

    /**
     * Starts a witness.
     *
     * @param longestWork how long a client works at most; the shortest work takes a quarter of that
     */
    public static Witness start(boolean checksTokens, long seed, Duration longestWork) throws IOException {
        return new Witness(checksTokens, seed, longestWork);
    }

    public int port() {
        return server.port();
    }

    /** The connection of a client. */
    private final class Connection implements LineServer.Session {

        private int client = -1;

        @Override
        public String answer(String line) throws InterruptedException {
            String[] words = line.split(" ");
            if (words[0].equals("client")) {
                client = Integer.parseInt(words[1]);
            } else if (words[0].equals("work")) {
                work(client);
                return "ok";
            }
            return act(client, words);
        }

        @Override
        public void end() {
            if (client >= 0) {
                record(client, Kind.GONE);
            }
        }
    }

    private void work(int client) throws InterruptedException {
        Strike struck;
        long nanos;
        synchronized (this) {
            struck = strike != null && strike.client() == client ? strike : null;
            strike = struck == null ? strike : null;
            nanos = random.nextLong(longestWorkNanos / SHORTEST_WORK_PARTS, longestWorkNanos);
        }
        if (struck == null) {
            TimeUnit.NANOSECONDS.sleep(nanos);
        } else {
            struck.await();
        }
    }

    private synchronized String act(int client, String[] words) {
        switch (words[0]) {
            case "ask" -> record(client, Kind.ASKED);
            case "failed" -> record(client, Kind.FAILED);
            case "got" -> {
                tokens.put(client, Long.parseLong(words[1]));
                holds.merge(client, 1, Integer::sum);
                record(client, Kind.GOT);
                recordLoss(client);
            }
            case "read" -> {
                record(client, Kind.READ, counter);
                return Long.toString(counter);
            }
            case "write" -> write(client, Long.parseLong(words[1]));
            case "release" -> record(client, Kind.RELEASED);
            case "lost" -> {
                lostHolds.put(Integer.parseInt(words[1]), Integer.parseInt(words[2]));
                recordLoss(Integer.parseInt(words[1]));
            }
            default -> {}
        }
        return "ok";
    }

    /** Records the loss of the client's latest hold; its report may arrive before that of the hold itself. */
    private void recordLoss(int client) {
        if (lostHolds.getOrDefault(client, -1).equals(holds.getOrDefault(client, 0))) {
            lostHolds.remove(client);
            record(client, Kind.LOST);
        }
    }

    private void write(int client, long value) {
        long token = tokens.getOrDefault(client, Event.NONE);
        if (checksTokens && token < greatestToken) {
            record(client, Kind.REFUSED, value);
            return;
        }
        greatestToken = Math.max(greatestToken, token);
        counter = value;
        record(client, Kind.WROTE, value);
    }

    /** Records an event that the witness does not see itself. */
    public void record(int client, Kind kind) {
        record(client, kind, Event.NONE);
    }

    private synchronized void record(int client, Kind kind, long value) {
        history.add(new Event(System.nanoTime() - start, client, kind, tokens.getOrDefault(client, Event.NONE), value));
        notifyAll();
    }

    /** Lets the next hold of this client be the one that a fault strikes. */
    public synchronized Strike strikeNext(int client) {
        strike = new Strike(client);
        return strike;
    }

    /** Returns the number of events so far. */
    public synchronized int size() {
        return history.size();
    }

    /**
     * Waits until so many events since the given one are as described, at most for the limit.
     *
     * @param first the number of events that do not count
     * @return whether there are so many
     */
    public synchronized boolean await(int first, Predicate<Event> event, int count, Duration limit)
            throws InterruptedException {
        long end = System.nanoTime() + limit.toNanos();
        while (history.stream().skip(first).filter(event).limit(count).count() < count) {
            long leftMillis = Duration.ofNanos(end - System.nanoTime()).toMillis();
            if (leftMillis <= 0) {
                return false;
            }
            wait(leftMillis);
        }
        return true;
    }

    /** Ends the history, and returns all events. */
    public synchronized List<Event> end() {
        record(-1, Kind.ENDED);
        return List.copyOf(history);
    }

    @Override
    public void close() throws IOException {
        server.close();
    }
}
