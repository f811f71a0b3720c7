package io.holdfast.simulation.world;

import io.holdfast.lease.FencingToken;
import io.holdfast.node.Claim;
import io.holdfast.node.QuarantineProbe;
import io.holdfast.node.QuorumConfig;
import io.holdfast.node.memory.InMemoryNode;
import io.holdfast.time.VirtualTime;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;

/** A server with its own clock; its process can end, start again and hang. */
public final class SimulatedNode {

    private final String name;
    private final VirtualTime world;
    private final MachineTime time;
    private final InMemoryNode memory;
    private final List<Runnable> connections = new ArrayList<>();
    private final Deque<Runnable> waiting = new ArrayDeque<>();
    private final Set<String> resources = new TreeSet<>();
    private final Map<String, String> places = new HashMap<>();
    private final List<Claim> carriedOut = new ArrayList<>();
    /** The resource of the last answer of {@link #inThisLife}: several checkers in turn ask for the same. */
    private String lastResource = "";

    private String lastPlace = "";
    private int process = 1;
    private int lives = 1;
    private long begunNanos;
    private boolean up = true;
    private boolean frozen;

    SimulatedNode(String name, VirtualTime world, double rate, boolean guarded) {
        this.name = name;
        this.world = world;
        this.time = new MachineTime(name, world, rate);
        this.memory = guarded ? InMemoryNode.guarded(name, time.asServer()) : new InMemoryNode(name, time.asServer());
        memory.onStandingGrant(carriedOut::add);
    }

    public String name() {
        return name;
    }

    public MachineTime time() {
        return time;
    }

    /** Returns the memory of the server, for inspection. */
    public InMemoryNode memory() {
        return memory;
    }

    /** Returns the standing claims that the node has carried out since the last call. */
    List<Claim> takeCarriedOut() {
        if (carriedOut.isEmpty()) {
            return List.of();
        }
        List<Claim> taken = List.copyOf(carriedOut);
        carriedOut.clear();
        return taken;
    }

    void noteResource(String resource) {
        resources.add(resource);
    }

    /** Returns the locks that were requested in any life of the node. */
    public Set<String> resources() {
        return resources;
    }

    /** Returns the number of this server process, counted from 1. */
    public int process() {
        return process;
    }

    public boolean isUp() {
        return up;
    }

    /** Executes a request that arrived over a connection to that process; returns false if the process is gone. */
    boolean receive(int toProcess, Runnable request) {
        if (!up || toProcess != process) {
            return false;
        }
        if (frozen) {
            waiting.add(request);
        } else {
            request.run();
        }
        return true;
    }

    void onConnectionsLost(Runnable callback) {
        connections.add(callback);
    }

    public void crash() {
        up = false;
        frozen = false;
        waiting.clear();
        connections.forEach(Runnable::run);
    }

    public void start(boolean keepsMemory) {
        process++;
        memory.restart(keepsMemory);
        begin(keepsMemory);
        up = true;
    }

    /** Admits the node: an administrator declares that it has never held a lock. */
    public void admit(QuorumConfig config) {
        memory.probe(QuarantineProbe.admission("administrator", FencingToken.NONE, config));
    }

    /** Erases the node's memory while it keeps running. */
    public void flush() {
        memory.flush();
        begin(false);
    }

    private void begin(boolean keepsMemory) {
        if (!keepsMemory) {
            lives++;
            places.clear();
            lastResource = "";
        }
        begunNanos = world.now().nanos();
    }

    /** Returns a count that grows whenever the node forgets everything. */
    public int lives() {
        return lives;
    }

    /** Returns a name for a resource on the node, unique to this life of its memory. */
    public String inThisLife(String resource) {
        if (!resource.equals(lastResource)) {
            String known = places.get(resource);
            lastPlace =
                    known != null ? known : places.computeIfAbsent(resource, same -> name + "/" + lives + "/" + same);
            lastResource = resource;
        }
        return lastPlace;
    }

    /** Returns the time since the last restart. */
    public Duration age() {
        return Duration.ofNanos(world.now().nanos() - begunNanos);
    }

    /** Hangs the process; messages that arrive wait in its buffers. */
    public void freeze() {
        frozen = true;
    }

    public void thaw() {
        frozen = false;
        while (!waiting.isEmpty()) {
            waiting.remove().run();
        }
    }
}
