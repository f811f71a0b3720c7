package io.holdfast.time;

import io.holdfast.node.WrongArrow;
import org.jspecify.annotations.Nullable;

/** The other half of a package cycle, for the tests of the architecture rules. */
public final class WrongCircle {

    public @Nullable WrongArrow back;
}
