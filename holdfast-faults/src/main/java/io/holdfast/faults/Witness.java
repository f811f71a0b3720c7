package io.holdfast.faults;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;

/**
 * Records who is inside, and knows nothing of Redis: clients tell it when they have entered and when they leave, and it
 * answers before they go on. One line each: {@code enter RESOURCE CLIENT FENCE shared|alone} and {@code leave RESOURCE CLIENT OVERRUN
 * live|REASON}, where the overrun is by how many ms the client was stopped beyond the validity of its lease.
 */
final class Witness implements AutoCloseable {

    /** The last word of a client that enters beside others. */
    static final String SHARED = "shared";

    /** The last word of a client that leaves without having lost its lease; otherwise it is the reason. */
    static final String LIVE = "live";

    private final ServerSocket listener;
    /** By resource the clients, and whether each of them shares it. */
    private final Map<String, Map<String, Boolean>> inside = new HashMap<>();

    private final Map<String, String> lastHolder = new HashMap<>();
    private final Map<String, Long> lastFence = new HashMap<>();
    private final Map<String, Long> lastFenceAlone = new HashMap<>();
    private final Set<String> entered = new HashSet<>();
    private long lastEntry = System.nanoTime();
    private Observations seen = Observations.NONE;
    private boolean losses = true;

    private Witness(ServerSocket listener) {
        this.listener = listener;
    }

    static Witness start() throws IOException {
        Witness witness = new Witness(new ServerSocket(0, 50, InetAddress.getLoopbackAddress()));
        daemon("witness", witness::acceptAll);
        return witness;
    }

    int port() {
        return listener.getLocalPort();
    }

    private void acceptAll() {
        while (!listener.isClosed()) {
            try {
                Socket client = listener.accept();
                daemon("witness-client", () -> hear(client));
            } catch (IOException closed) {
                return;
            }
        }
    }

    private void hear(Socket client) {
        Set<String> names = new HashSet<>();
        try (client) {
            client.setTcpNoDelay(true);
            BufferedReader in =
                    new BufferedReader(new InputStreamReader(client.getInputStream(), StandardCharsets.US_ASCII));
            OutputStream out = client.getOutputStream();
            for (String line = in.readLine(); line != null; line = in.readLine()) {
                String[] words = line.split(" ");
                names.add(words[2]);
                note(words);
                out.write('\n');
            }
        } catch (IOException ended) {
            // The client was killed.
        }
        gone(names);
    }

    /** Whoever is dead is not inside. */
    private synchronized void gone(Set<String> names) {
        inside.values().forEach(clients -> clients.keySet().removeAll(names));
    }

    private synchronized void note(String[] words) {
        if (words[0].equals("enter")) {
            enter(words[1], words[2], Long.parseLong(words[3]), words[4].equals(SHARED));
        } else {
            leave(words[1], words[2], Long.parseLong(words[3]), words[4]);
        }
    }

    /** Those who share a lock come in any order; what they must not do is to come before one who was alone. */
    private void enter(String resource, String client, long fence, boolean shared) {
        long now = System.nanoTime();
        Map<String, Boolean> others = clientsIn(resource);
        boolean overlap = others.containsValue(false) || (!shared && !others.isEmpty());
        boolean handOver = !process(client).equals(process(lastHolder.getOrDefault(resource, client)));
        boolean disorder = fence <= (shared ? lastFenceAlone : lastFence).getOrDefault(resource, 0L);
        boolean beside = !overlap && !others.isEmpty();
        seen = seen.entered(overlap, beside, handOver, disorder, (now - lastEntry) / 1_000_000);
        others.put(client, shared);
        lastFence.merge(resource, fence, Math::max);
        if (!shared) {
            lastFenceAlone.merge(resource, fence, Math::max);
        }
        lastHolder.put(resource, client);
        lastEntry = now;
        entered.add(resource);
        notifyAll();
    }

    private void leave(String resource, String client, long overrunMillis, String end) {
        clientsIn(resource).remove(client);
        boolean wronglyLost = !losses && !end.equals(LIVE);
        if (wronglyLost) {
            System.err.println(client + " lost " + resource + ": " + end);
        }
        seen = seen.left(overrunMillis, wronglyLost);
    }

    /** Whether a lease may be lost from now on: not while a majority of the servers votes and keeps it. */
    synchronized void allowLosses(boolean allowed) {
        losses = allowed;
    }

    private Map<String, Boolean> clientsIn(String resource) {
        return inside.computeIfAbsent(resource, unknown -> new HashMap<>());
    }

    /** Waits until every lock has been entered since now, at most so long; returns how long that took, in ms. */
    synchronized long awaitEntries(int resources, long limitMillis) throws InterruptedException {
        long start = System.nanoTime();
        entered.clear();
        while (entered.size() < resources) {
            long left = limitMillis - (System.nanoTime() - start) / 1_000_000;
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
        return seen;
    }

    static void daemon(String name, Runnable task) {
        Thread thread = new Thread(task, name);
        thread.setDaemon(true);
        thread.start();
    }

    @Override
    public void close() throws IOException {
        listener.close();
    }
}
