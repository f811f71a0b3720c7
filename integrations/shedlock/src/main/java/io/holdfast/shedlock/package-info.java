/**
 * Scheduled tasks of ShedLock on Holdfast's locks: {@link io.holdfast.shedlock.HoldfastLockProvider} takes the place of
 * another lock provider.
 */
@NullMarked
package io.holdfast.shedlock;

import org.jspecify.annotations.NullMarked;
