package io.holdfast.simulation;

import io.holdfast.redis.FreshServer;
import java.util.List;

/** Violates the arrows between the modules, for the test of the rule: the simulation must not depend on Redis. */
public final class WrongArrow {

    private WrongArrow() {}

    public static List<String> redis() {
        return FreshServer.command("run");
    }
}
