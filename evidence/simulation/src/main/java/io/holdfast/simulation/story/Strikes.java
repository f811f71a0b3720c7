package io.holdfast.simulation.story;

import io.holdfast.simulation.world.Fault;
import io.holdfast.simulation.world.Link;
import io.holdfast.simulation.world.SimulatedNode;
import io.holdfast.simulation.world.World;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Set;

/** Strikes the machines of a run. Repeated strikes take the next machine each. */
final class Strikes {

    private final World world;
    private final Seller victim;
    private final Set<SimulatedNode> cut = new HashSet<>();
    private int wipes;

    Strikes(World world, Seller victim) {
        this.world = world;
        this.victim = victim;
    }

    boolean isCut(SimulatedNode node) {
        return cut.contains(node);
    }

    /** Strikes, and returns what has happened in a sentence; empty if nothing has. */
    String strike(Disturbance disturbance) {
        return switch (disturbance) {
            case NONE -> "";
            case KILL -> kill();
            case WIPE -> wipe();
            case PAUSE -> pause();
            case CUT -> cut();
        };
    }

    private String kill() {
        SimulatedNode node =
                world.nodes().stream().filter(SimulatedNode::isUp).findFirst().orElse(null);
        if (node == null) {
            return "No server is left to kill.";
        }
        node.crash();
        report(node.name(), "crashed");
        return nameOf(node) + " is killed.";
    }

    /** A killed server starts again, empty. Otherwise the second server is wiped first, then the third. */
    private String wipe() {
        for (SimulatedNode node : world.nodes()) {
            if (!node.isUp()) {
                node.start(false);
                report(node.name(), "started empty");
                return nameOf(node) + " starts again without its data." + afterwards(node);
            }
        }
        List<SimulatedNode> nodes = world.nodes();
        SimulatedNode node = nodes.get(++wipes % nodes.size());
        node.flush();
        report(node.name(), "flushed");
        return nameOf(node) + " is wiped." + afterwards(node);
    }

    private static String afterwards(SimulatedNode node) {
        return node.memory().votes()
                ? " It has forgotten the lock, and votes at once."
                : " It may have forgotten a lock, so it is in quarantine and does not vote.";
    }

    private String pause() {
        victim.pauses();
        report(victim.actor().name(), "paused");
        return "The process of A is paused, for longer than its lease.";
    }

    /** The last server is cut from A first. */
    private String cut() {
        List<SimulatedNode> nodes = world.nodes();
        int index = nodes.size() - 1 - cut.size();
        if (index < 0) {
            return "A is cut from every server already.";
        }
        SimulatedNode node = nodes.get(index);
        Link link = victim.actor().client().link(index);
        cut.add(node);
        link.requests().close();
        link.replies().close();
        report(victim.actor().name() + " → " + node.name(), "cut");
        return "The network between A and " + nameOf(node).toLowerCase(Locale.ROOT) + " is cut.";
    }

    private String nameOf(SimulatedNode node) {
        return world.nodes().size() == 1 ? "The server" : node.name().replace("node-", "Node ");
    }

    private void report(String where, String what) {
        Fault fault = new Fault(where, what);
        world.report(to -> to.struck(fault));
    }
}
