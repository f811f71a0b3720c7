package io.holdfast.simulation.world;

import io.holdfast.time.VirtualTime;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;

/** The first findings of the checkers of one run; a broken run may report the same violation all the time. */
public final class Violations {

    private static final int MOST = 100;

    private final VirtualTime world;
    private final List<Violation> found = new ArrayList<>();

    public Violations(VirtualTime world) {
        this.world = world;
    }

    public void report(Property property, String what) {
        if (found.size() < MOST) {
            found.add(new Violation(property, Duration.ofNanos(world.now().nanos()), what));
        }
    }

    public List<Violation> found() {
        return List.copyOf(found);
    }
}
