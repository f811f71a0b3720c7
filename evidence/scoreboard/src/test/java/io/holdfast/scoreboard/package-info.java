/** Tests of the scoreboard, and its short form. */
@NullMarked
package io.holdfast.scoreboard;

import org.jspecify.annotations.NullMarked;
