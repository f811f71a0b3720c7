/** Tests of the witness and of what it concludes. */
@NullMarked
package io.holdfast.scoreboard.witness;

import org.jspecify.annotations.NullMarked;
