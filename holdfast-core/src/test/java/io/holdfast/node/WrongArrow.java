package io.holdfast.node;

import io.holdfast.Holdfast;
import io.holdfast.time.WrongCircle;
import org.jspecify.annotations.Nullable;

/** Breaks two walls, for the tests of the walls. */
public final class WrongArrow {

    public @Nullable Holdfast upward;
    public @Nullable WrongCircle circle;
}
