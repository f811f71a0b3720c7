/** The libraries that the scoreboard compares, with the settings that their authors recommend for safety. */
@NullMarked
package io.holdfast.scoreboard.contestant;

import org.jspecify.annotations.NullMarked;
