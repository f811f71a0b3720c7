package io.holdfast.simulation;

import io.holdfast.redis.FreshServer;
import java.util.List;

/** Breaks the rule of the arrows between the modules, for its test: the simulation knows no Redis. */
public final class WrongArrow {

    private WrongArrow() {}

    public static List<String> redis() {
        return FreshServer.command("run");
    }
}
