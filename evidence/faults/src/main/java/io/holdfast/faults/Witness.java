package io.holdfast.faults;

import io.holdfast.testkit.LineServer;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * Records which clients are inside a lock, without using Redis. Clients report that they have entered or are about to
 * leave, and continue when the witness has replied. The messages are lines: {@code enter RESOURCE CLIENT FENCE
 * shared|exclusive VALID} and {@code leave RESOURCE CLIENT OVERRUN live|REASON VALID}. The overrun is the number of
 * milliseconds by which the client was suspended beyond the validity of its lease.
 *
 * <p>VALID is the end of the validity that the client knew, by {@link System#nanoTime}, which all processes of a Linux
 * machine share. A client that a busy machine stops beyond that time breaks no promise: it is not inside any more.
 */
final class Witness implements AutoCloseable {

    /** The last word of the message of a client that enters in shared mode. */
    static final String SHARED = "shared";

    /** The last word of the message of a client that enters in exclusive mode. */
    static final String EXCLUSIVE = "exclusive";

    /** The last word of the message of a client that leaves with a valid lease; otherwise the reason of the loss. */
    static final String LIVE = "live";

    private final LineServer server;
    /** By resource: the clients inside, and whether each of them holds it in shared mode. */
    private final Map<String, Map<String, Boolean>> inside = new HashMap<>();
    /**
     * By client: when others entered beside it that may not. Whether its lease was valid then is known when it leaves.
     */
    private final Map<String, List<Long>> intruders = new HashMap<>();
    /** By client: when it entered. A thread of a client is inside one lock at a time. */
    private final Map<String, Long> entries = new HashMap<>();

    private final Map<String, String> lastHolder = new HashMap<>();
    private final Map<String, Long> lastFence = new HashMap<>();
    private final Map<String, Long> lastExclusiveFence = new HashMap<>();
    private final Set<String> entered = new HashSet<>();
    private long lastEntry = System.nanoTime();
    private Observations observations = Observations.NONE;
    private boolean lossesAllowed = true;
    private long protectedUntil;

    private Witness() throws IOException {
        this.server = LineServer.start(Connection::new);
    }

    static Witness start() throws IOException {
        return new Witness();
    }

    int port() {
        return server.port();
    }

    /** The connection of one thread of a client. */
    private final class Connection implements LineServer.Session {

        private final Set<String> names = new HashSet<>();

        @Override
        public String answer(String line) {
            String[] words = line.split(" ");
            names.add(words[2]);
            record(words);
            return "";
        }

        @Override
        public void end() {
            removeClients(names);
        }
    }

    /** Removes the clients of a connection that ended: a dead client is not inside. */
    private synchronized void removeClients(Set<String> names) {
        inside.values().forEach(clients -> clients.keySet().removeAll(names));
        names.forEach(name -> observations = observations.left(intruders(name, Long.MAX_VALUE), 0, false));
    }

    private synchronized void record(String[] words) {
        if (words[0].equals("enter")) {
            enter(words[1], words[2], Long.parseLong(words[3]), words[4].equals(SHARED), Long.parseLong(words[5]));
        } else {
            leave(words[1], words[2], Long.parseLong(words[3]), words[4], Long.parseLong(words[5]));
        }
    }

    /**
     * Records an entry. Shared holders may enter in any order, but their fences must be above those of exclusive
     * holders.
     */
    private void enter(String resource, String client, long fence, boolean shared, long validUntil) {
        long now = System.nanoTime();
        if (now - validUntil > 0) {
            return;
        }
        Map<String, Boolean> others = clientsIn(resource);
        others.forEach((other, isShared) -> {
            if (!shared || !isShared) {
                intruders.computeIfAbsent(other, none -> new ArrayList<>()).add(now);
            }
        });
        boolean handOver = !process(client).equals(process(lastHolder.getOrDefault(resource, client)));
        boolean disorder = fence <= (shared ? lastExclusiveFence : lastFence).getOrDefault(resource, 0L);
        boolean besideShared = shared && others.containsValue(true);
        observations = observations.entered(besideShared, handOver, disorder, (now - lastEntry) / 1_000_000);
        others.put(client, shared);
        lastFence.merge(resource, fence, Math::max);
        if (!shared) {
            lastExclusiveFence.merge(resource, fence, Math::max);
        }
        lastHolder.put(resource, client);
        entries.put(client, now);
        lastEntry = now;
        entered.add(resource);
        notifyAll();
    }

    private void leave(String resource, String client, long overrunMillis, String end, long validUntil) {
        clientsIn(resource).remove(client);
        boolean isProtected = !lossesAllowed && entries.getOrDefault(client, protectedUntil) - protectedUntil <= 0;
        boolean wronglyLost = isProtected && !end.equals(LIVE);
        if (wronglyLost) {
            System.err.println(client + " lost " + resource + ": " + end);
        }
        observations = observations.left(intruders(client, validUntil), overrunMillis, wronglyLost);
    }

    /** Returns how often others entered beside the client before its lease ended, and forgets them. */
    private long intruders(String client, long validUntil) {
        List<Long> times = intruders.remove(client);
        return times == null
                ? 0
                : times.stream().filter(time -> time - validUntil < 0).count();
    }

    /** Counts the losses of leases that have existed for at least this time, from now on. */
    synchronized void forbidLosses(Duration age) {
        lossesAllowed = false;
        protectedUntil = System.nanoTime() - age.toNanos();
    }

    /** Counts no losses. */
    synchronized void allowLosses() {
        lossesAllowed = true;
    }

    private Map<String, Boolean> clientsIn(String resource) {
        return inside.computeIfAbsent(resource, unknown -> new HashMap<>());
    }

    /** Waits until every lock has been entered again, at most for the limit, and returns the elapsed time in ms. */
    synchronized long awaitEntries(int resources, Duration limit) throws InterruptedException {
        long start = System.nanoTime();
        entered.clear();
        while (entered.size() < resources) {
            long left = limit.toMillis() - (System.nanoTime() - start) / 1_000_000;
            if (left <= 0) {
                break;
            }
            wait(left);
        }
        return (System.nanoTime() - start) / 1_000_000;
    }

    private static String process(String client) {
        return client.substring(0, client.indexOf('/'));
    }

    synchronized Observations observations() {
        return observations;
    }

    @Override
    public void close() throws IOException {
        server.close();
    }
}
