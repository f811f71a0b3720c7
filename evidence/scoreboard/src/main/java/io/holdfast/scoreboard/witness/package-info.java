/** The counter that the locks guard, the history of a run, and what it says about the lock. */
@NullMarked
package io.holdfast.scoreboard.witness;

import org.jspecify.annotations.NullMarked;
