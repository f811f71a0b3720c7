package io.holdfast.simulation.world;

import io.holdfast.lease.FencingToken;
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

/** A server: its process ends and begins, hangs, and has a clock of its own. */
public final class SimulatedNode {

    private final String name;
    private final VirtualTime world;
    private final MachineTime time;
    private final InMemoryNode memory;
    private final List<Runnable> connections = new ArrayList<>();
    private final Deque<Runnable> waiting = new ArrayDeque<>();
    private final Set<String> resources = new TreeSet<>();
    private final Map<String, String> places = new HashMap<>();
    private int process = 1;
    private int lives = 1;
    private long begunNanos;
    private boolean up = true;
    private boolean frozen;

    SimulatedNode(String name, VirtualTime world, double rate, boolean guarded) {
        this.name = name;
        this.world = world;
        this.time = new MachineTime(world, rate);
        this.memory = guarded ? InMemoryNode.guarded(name, time.asServer()) : new InMemoryNode(name, time.asServer());
    }

    public String name() {
        return name;
    }

    public MachineTime time() {
        return time;
    }

    /** What the server keeps, to be looked at. */
    public InMemoryNode memory() {
        return memory;
    }

    void noteResource(String resource) {
        resources.add(resource);
    }

    /** The locks that were asked for, in any life of the node. */
    public Set<String> resources() {
        return resources;
    }

    /** Which process of the server this is, from 1. */
    public int process() {
        return process;
    }

    public boolean isUp() {
        return up;
    }

    /** Carries out a request that came over a connection to that process; returns false if it is gone. */
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

    /** An operator says that it has never held a lock. */
    public void admit(QuorumConfig config) {
        memory.probe(QuarantineProbe.admission("operator", FencingToken.NONE, config));
    }

    /** It forgets everything, and goes on. */
    public void flush() {
        memory.flush();
        begin(false);
    }

    private void begin(boolean keepsMemory) {
        if (!keepsMemory) {
            lives++;
            places.clear();
        }
        begunNanos = world.now().nanos();
    }

    /** A count that grows whenever it forgets everything. */
    public int lives() {
        return lives;
    }

    /** A name for a resource on the node, as long as the node remembers it. */
    public String inThisLife(String resource) {
        return places.computeIfAbsent(resource, same -> name + "/" + lives + "/" + same);
    }

    /** For how long it has run without a restart. */
    public Duration age() {
        return Duration.ofNanos(world.now().nanos() - begunNanos);
    }

    /** It hangs; what arrives waits in its buffers. */
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
