/** The page that shows the results. */
@NullMarked
package io.holdfast.scoreboard.page;

import org.jspecify.annotations.NullMarked;
