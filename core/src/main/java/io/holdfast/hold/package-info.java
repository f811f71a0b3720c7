/**
 * Granted locks until they are released or lost: renewal, repair, timers and the declaration of a loss. Not exported.
 */
@NullMarked
package io.holdfast.hold;

import org.jspecify.annotations.NullMarked;
