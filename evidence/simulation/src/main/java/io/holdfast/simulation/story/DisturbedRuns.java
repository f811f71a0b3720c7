package io.holdfast.simulation.story;

import java.util.List;
import java.util.Map;

/**
 * Recorded runs of some ways to lock, with each disturbance at each moment. The front page of the website shows them.
 *
 * @param ways the ways to lock, the safe one first
 */
public record DisturbedRuns(List<Way> ways) {

    /**
     * A way to lock, and its runs.
     *
     * @param name its name
     * @param rule how it differs from the others
     * @param guide the path of a run to try: one letter for each moment
     * @param scenes by the path of disturbances until then, where the empty path is the beginning
     */
    public record Way(String name, String rule, String guide, Map<String, Scene> scenes) {}

    /**
     * A moment of a run.
     *
     * @param said what has happened since the last scene, in sentences
     * @param a the state of client A
     * @param b the state of client B
     * @param sold how often the one piece was sold
     * @param rejected the number of writes that the resource has rejected
     */
    public record Scene(List<String> said, String a, String b, List<Place> nodes, int sold, int rejected) {}

    /**
     * A node.
     *
     * @param state {@code votes}, {@code down} or {@code quarantine}
     * @param holder the letter of the client whose lock it keeps; empty without one
     * @param cut whether the network between client A and the node is cut
     */
    public record Place(String state, String holder, boolean cut) {}

    /** Records all runs. */
    public static DisturbedRuns record() {
        return new DisturbedRuns(List.of(
                DisturbedRun.all(
                        "Holdfast, with tokens",
                        "Three servers. A wiped server does not vote for a while, and the resource checks the token.",
                        "cwp",
                        new Safeguards(3, true)),
                DisturbedRun.all(
                        "SET NX on one server",
                        "One server. It grants at once after it was wiped, and the resource checks no token.",
                        "gwg",
                        new Safeguards(1, false)),
                DisturbedRun.all(
                        "Redlock without quarantine",
                        "Three servers. A wiped server votes at once, and the resource checks no token.",
                        "cwg",
                        new Safeguards(3, false))));
    }

    /**
     * The measures that distinguish the ways.
     *
     * @param nodes the number of servers
     * @param on whether wiped nodes are in quarantine, and whether the resource checks tokens
     */
    record Safeguards(int nodes, boolean on) {}
}
