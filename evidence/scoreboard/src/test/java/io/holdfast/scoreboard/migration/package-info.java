/** Fleets that migrate to Holdfast and back while they work. */
@NullMarked
package io.holdfast.scoreboard.migration;

import org.jspecify.annotations.NullMarked;
