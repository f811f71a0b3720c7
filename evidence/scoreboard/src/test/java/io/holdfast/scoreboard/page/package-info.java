/** Tests of the page. */
@NullMarked
package io.holdfast.scoreboard.page;

import org.jspecify.annotations.NullMarked;
