/** The processes that contend for the lock. */
@NullMarked
package io.holdfast.scoreboard.client;

import org.jspecify.annotations.NullMarked;
