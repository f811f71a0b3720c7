package io.holdfast.simulation.story;

import io.holdfast.HoldfastOptions;
import io.holdfast.LockOptions;
import io.holdfast.RestartPolicy;
import io.holdfast.node.QuorumConfig;
import io.holdfast.simulation.check.Checkers;
import io.holdfast.simulation.load.FencedResource;
import io.holdfast.simulation.plan.Network;
import io.holdfast.simulation.story.DisturbedRuns.Place;
import io.holdfast.simulation.story.DisturbedRuns.Safeguards;
import io.holdfast.simulation.story.DisturbedRuns.Scene;
import io.holdfast.simulation.story.DisturbedRuns.Way;
import io.holdfast.simulation.world.SimulatedNode;
import io.holdfast.simulation.world.World;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.BooleanSupplier;

/**
 * One run of two clients that want to sell the last piece of a stock, with one disturbance at each of three moments:
 * before A requests the lock, while A holds it, and before A writes. It ends when both clients have had their time.
 */
final class DisturbedRun {

    static final int MOMENTS = 3;

    private static final long SEED = 7;
    private static final String LOCK = "stock:apple";
    private static final Duration LEASE = Duration.ofSeconds(10);
    private static final Duration STEP = Duration.ofMillis(50);
    private static final Duration MOMENT = Duration.ofSeconds(1);
    /** More than a lease and the quarantine after it. */
    private static final Duration PATIENCE = Duration.ofSeconds(25);

    private final World world;
    private final MessageLog log = new MessageLog();
    private final Piece piece;
    private final Seller a;
    private final Seller b;
    private final Strikes strikes;
    private final List<String> said = new ArrayList<>();
    private boolean bothHeld;

    private DisturbedRun(Safeguards safeguards) {
        world = new World(
                SEED,
                Collections.nCopies(safeguards.nodes(), 1.0),
                HoldfastOptions.builder()
                        .maxLease(LEASE)
                        .restarts(safeguards.on() ? RestartPolicy.QUARANTINE : RestartPolicy.UNSAFE_IMMEDIATE)
                        .build(),
                Network.GOOD);
        world.add(log);
        FencedResource fence = new FencedResource(world.violations());
        world.add(fence);
        if (safeguards.on()) {
            Checkers.of(world).forEach(world::add);
        }
        LockOptions options = LockOptions.builder()
                .lease(LEASE)
                .waitLimit(LockOptions.FOREVER)
                .build();
        world.nodes().forEach(node -> node.admit(new QuorumConfig(safeguards.nodes(), LEASE)));
        piece = new Piece(fence, LOCK, safeguards.on());
        a = new Seller("A", new Actor(world, LOCK, options), piece);
        b = new Seller("B", new Actor(world, LOCK, options), piece);
        strikes = new Strikes(world, a);
        world.advance(STEP);
    }

    /**
     * Records the runs of all combinations of disturbances.
     *
     * @throws IllegalStateException if a checker has found that a promise was broken
     */
    static Way all(String name, String rule, String guide, Safeguards safeguards) {
        Map<String, Scene> scenes = new TreeMap<>();
        for (Disturbance first : Disturbance.values()) {
            for (Disturbance second : Disturbance.values()) {
                for (Disturbance third : Disturbance.values()) {
                    List<Disturbance> path = List.of(first, second, third);
                    // A paused client cannot be paused again.
                    if (Collections.frequency(path, Disturbance.PAUSE) <= 1) {
                        new DisturbedRun(safeguards).run(path, scenes);
                    }
                }
            }
        }
        return new Way(name, rule, guide, scenes);
    }

    private void run(List<Disturbance> path, Map<String, Scene> scenes) {
        said.add("One piece is left. Clients A and B both want to sell it, and need the lock for that.");
        record("", scenes);
        StringBuilder letters = new StringBuilder();
        for (int moment = 0; moment < MOMENTS; moment++) {
            Disturbance disturbance = path.get(moment);
            if (moment == 0) {
                begin(disturbance);
            } else {
                strike(disturbance);
                await(() -> a.isPaused() && b.holds(), a.isPaused() ? PATIENCE : MOMENT);
            }
            look();
            if (moment == MOMENTS - 1) {
                end();
            }
            record(letters.append(disturbance.letter()).toString(), scenes);
        }
        if (!world.violations().found().isEmpty()) {
            throw new IllegalStateException("The run " + letters + " breaks a promise: "
                    + world.violations().found());
        }
    }

    /** A requests the lock first. A pause strikes between its claims and their replies. */
    private void begin(Disturbance disturbance) {
        if (disturbance != Disturbance.PAUSE) {
            strike(disturbance);
        }
        a.actor().ask();
        said.add("A requests the lock.");
        if (disturbance == Disturbance.PAUSE) {
            strike(disturbance);
        }
        world.advance(STEP);
        look();
        b.actor().ask();
        await(() -> false, MOMENT);
        said.add(b.holds() ? "B requests it too, and is granted it." : "B requests it too, and waits.");
    }

    private void strike(Disturbance disturbance) {
        String what = strikes.strike(disturbance);
        if (!what.isEmpty()) {
            said.add(what);
        }
    }

    /** Each holder reads the stock. */
    private void look() {
        for (Seller seller : List.of(a, b)) {
            if (seller.reads()) {
                said.add(seller.letter() + " holds the lock, and reads: "
                        + (seller.sawThePiece() ? "one piece is left." : "no piece is left."));
            }
        }
        if (a.holds() && b.holds() && !bothHeld) {
            bothHeld = true;
            said.add("Both hold the lock at the same time.");
        }
    }

    private void end() {
        if (!a.isPaused()) {
            write(a);
        }
        await(b::holds, PATIENCE);
        look();
        write(b);
        if (a.isPaused()) {
            said.add("A continues where it was.");
            if (a.wantsToWrite()) {
                write(a);
            }
            a.goesOn();
            world.advance(MOMENT);
        }
        said.add(
                switch (piece.sold()) {
                    case 0 -> "Nothing is sold: too few servers vote, and no client gets the lock.";
                    case 1 -> "The piece is sold once.";
                    default -> "The one piece is sold " + (piece.sold() == 2 ? "twice." : piece.sold() + " times.");
                });
    }

    private void write(Seller seller) {
        if (seller.wantsToWrite()) {
            said.add(
                    seller.writes()
                            ? seller.letter() + " sells the piece."
                            : seller.letter() + " writes, but the resource rejects its old token.");
        }
        if (!seller.isPaused()) {
            seller.releases();
        }
        world.advance(STEP);
    }

    private void await(BooleanSupplier condition, Duration atMost) {
        long end = world.time().now().nanos() + atMost.toNanos();
        while (!condition.getAsBoolean() && world.time().now().nanos() - end < 0) {
            world.advance(STEP);
        }
    }

    private void record(String path, Map<String, Scene> scenes) {
        scenes.putIfAbsent(
                path,
                new Scene(
                        List.copyOf(said),
                        a.state(),
                        b.state(),
                        world.nodes().stream().map(this::place).toList(),
                        piece.sold(),
                        piece.rejected()));
        said.clear();
    }

    private Place place(SimulatedNode node) {
        Story.Node picture = NodePicture.of(node, LOCK, log, List.of(a.actor(), b.actor()));
        String holder = picture.holder() == null
                ? ""
                : picture.holder().equals(a.actor().name()) ? "A" : "B";
        return new Place(picture.state(), holder, strikes.isCut(node));
    }
}
