package io.holdfast.scoreboard.witness;

import io.holdfast.scoreboard.witness.Event.Kind;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
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
    private static final int BACKLOG = 50;

    private final ServerSocket listener;
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

    private Witness(ServerSocket listener, boolean checksTokens, long seed, Duration longestWork) {
        this.listener = listener;
        this.checksTokens = checksTokens;
        this.random = new Random(seed);
        this.longestWorkNanos = longestWork.toNanos();
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
        ServerSocket listener = new ServerSocket(0, BACKLOG, InetAddress.getLoopbackAddress());
        Witness witness = new Witness(listener, checksTokens, seed, longestWork);
        daemon("witness", witness::acceptAll);
        return witness;
    }

    public int port() {
        return listener.getLocalPort();
    }

    private void acceptAll() {
        while (!listener.isClosed()) {
            try {
                Socket client = listener.accept();
                daemon("witness-client", () -> serve(client));
            } catch (IOException closed) {
                return;
            }
        }
    }

    private void serve(Socket socket) {
        int client = -1;
        try (socket) {
            socket.setTcpNoDelay(true);
            BufferedReader in =
                    new BufferedReader(new InputStreamReader(socket.getInputStream(), StandardCharsets.US_ASCII));
            OutputStream out = socket.getOutputStream();
            for (String line = in.readLine(); line != null; line = in.readLine()) {
                String[] words = line.split(" ");
                if (words[0].equals("client")) {
                    client = Integer.parseInt(words[1]);
                }
                out.write((answer(client, words) + "\n").getBytes(StandardCharsets.US_ASCII));
            }
        } catch (IOException ended) {
            // The client was killed.
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
        if (client >= 0) {
            record(client, Kind.GONE);
        }
    }

    private String answer(int client, String[] words) throws InterruptedException {
        if (words[0].equals("work")) {
            work(client);
            return "ok";
        }
        return act(client, words);
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

    private static void daemon(String name, Runnable task) {
        Thread thread = new Thread(task, name);
        thread.setDaemon(true);
        thread.start();
    }

    @Override
    public void close() throws IOException {
        listener.close();
    }
}
