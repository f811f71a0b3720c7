package io.holdfast.time;

import io.holdfast.node.WrongArrow;
import org.jspecify.annotations.Nullable;

/** The other half of a circle, for the tests of the walls. */
public final class WrongCircle {

    public @Nullable WrongArrow back;
}
