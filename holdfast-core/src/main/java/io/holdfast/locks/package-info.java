/** Locks that people know, each composed on the lease of one {@link io.holdfast.DistributedLock} or of several. */
@NullMarked
package io.holdfast.locks;

import org.jspecify.annotations.NullMarked;
