package io.holdfast.cli.syntax;

import io.holdfast.cli.Main;
import java.util.List;

/**
 * Violates the rule against package circles, for the test of the rule: the syntax must not depend on the entry point.
 */
public final class WrongCircle {

    private WrongCircle() {}

    public static int circle() {
        return Main.execute(Help.of("", List.of()));
    }
}
