package io.holdfast.node;

import io.holdfast.Holdfast;
import io.holdfast.time.WrongCircle;
import org.jspecify.annotations.Nullable;

/** Breaks two architecture rules, for the tests of the rules. */
public final class WrongArrow {

    public @Nullable Holdfast upward;
    public @Nullable WrongCircle circle;
}
